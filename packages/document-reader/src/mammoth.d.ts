/** The build of it that needs nothing of Node's; its types are those of the package. */
declare module 'mammoth/mammoth.browser.js' {
  import mammoth from 'mammoth';

  export default mammoth;
}
