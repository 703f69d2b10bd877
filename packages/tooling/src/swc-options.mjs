/** The one swc configuration: build, jest and the development hook emit the same code. */
export const swcOptions = {
  swcrc: false,
  configFile: false,
  sourceMaps: true,
  jsc: {
    parser: { syntax: 'typescript', decorators: true, tsx: false },
    transform: { legacyDecorator: true, decoratorMetadata: true, verbatimModuleSyntax: true },
    target: 'es2024',
    keepClassNames: true,
    rewriteRelativeImportExtensions: true,
  },
  module: { type: 'es6' },
};

/** Options for one file; `.tsx` needs the JSX parser and React's automatic runtime. */
export function swcOptionsFor(filename) {
  const tsx = filename.endsWith('.tsx');
  return {
    ...swcOptions,
    filename,
    jsc: {
      ...swcOptions.jsc,
      parser: { ...swcOptions.jsc.parser, tsx },
      transform: { ...swcOptions.jsc.transform, react: { runtime: 'automatic' } },
    },
  };
}
