/** Files that the bundler includes as text. */

declare module "browser:page" {
  const text: string;
  export default text;
}

declare module "*.css" {
  const text: string;
  export default text;
}
