/** The reference implementation in JavaScript, as far as the tests use it. */
declare module "commonmark" {
  export class Parser {
    parse(markdown: string): object;
  }
  export class HtmlRenderer {
    render(tree: object): string;
  }
}
