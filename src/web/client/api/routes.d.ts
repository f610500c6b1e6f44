/** Made when the page is bundled. */
declare module "manuscript:routes" {
  /** Path of each row of the contract, such as "/books", and its method if that is not GET: "/books POST". */
  export const ROUTES: Readonly<Record<string, string>>;
}
