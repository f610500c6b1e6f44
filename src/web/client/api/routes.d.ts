/** Made when the page is bundled. */
declare module "manuscript:routes" {
  /** Method and path of each row of the contract, such as "GET /books". */
  export const ROUTES: Readonly<Record<string, string>>;
}
