/** A style is bundled beside the script that names it. */
declare module "*.css";
