/** A style is bundled beside the script that names it, that of a view within. */
declare module "*.css";
