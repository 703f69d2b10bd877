import { natively, nodeProject } from './packages/tooling/src/jest-preset.mjs';

/** The longest specs of the whole product, relative to the root: `npm run test:product`, and not in `npm test`. */
export const productSpecs = [
  'cli/src/([a-z-]+-kill|event-stream-restart|cli|rebuild|republish)',
  'embedded/src/(backup|move-folder|move-again)',
  'product-tests/(answers|budgets|completions|completions-refused|documents|door|errors|exports|fair-shares|files|imports|many-reads)',
  'product-tests/(live|meaning|never-lost|other-models|pseudonyms|question-commands|queue|quiet-log|verified-addresses|live-rules/live-rules|matrix/[a-z-]+)',
].map((path) => `/${path}\\.spec\\.ts$`);

export default {
  ...natively(nodeProject),
  displayName: 'product',
  rootDir: '.',
  testRegex: productSpecs,
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  testTimeout: 60_000,
  maxWorkers: 1,
};
