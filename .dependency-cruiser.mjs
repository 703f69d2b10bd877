const source = '\\.(ts|tsx)$';
const test = '\\.(spec|test|soak)\\.tsx?$|\\.spec-setup\\.ts$';

/** Areas of chat, lowest first. A feature lies in an area, or is an area itself; other services have features only. */
const areas = ['conversations', 'assistants', 'knowledge', 'answers', 'feedback', 'workspace'];
const area = `(?:(?:${areas.join('|')})/)?`;
const inArea = `^services/chat/src/(?:${areas.join('|')})/`;
/** Helpers of chat's specs, which import all areas. */
const testing = '^services/chat/src/testing/';
const besideAreas = `^services/chat/src/(?!(?:${areas.join('|')}|testing)/)[^/]+/`;

/** Rooms of the chat page, lowest first: what a person sees, over its state. */
const roomsOfConversations = [
  'state',
  'parts',
  'files',
  'answerer',
  'composer',
  'sources',
  'rating',
  'message',
  'queue',
  'list',
  'start',
  'talk',
];

/** Folders that lie beside each other, lowest first: each imports itself and those below it only. */
const oneWay = (name, folder, parts) =>
  parts
    .slice(0, -1)
    .map((part, at) => ({
      name,
      comment: `From the highest to the lowest, one direction: ${parts.toReversed().join(' -> ')}.`,
      severity: 'error',
      from: { path: `^${folder}/${part}/` },
      to: { path: `^${folder}/(?:${parts.slice(at + 1).join('|')})/` },
    }));

/** Architecture rules 1-4 and 6 of the house style, by pattern: there is no list to grow. */
export default {
  forbidden: [
    {
      name: 'service-imports-service',
      comment: 'Call its HTTP contract or consume its event.',
      severity: 'error',
      from: { path: '^services/([^/]+)/' },
      to: { path: '^services/', pathNot: '^services/$1/' },
    },
    {
      name: 'feature-entered-by-its-door',
      comment: "Import another feature's index.ts only.",
      severity: 'error',
      from: { path: `^services/([^/]+)/src/${area}([^/]+)/`, pathNot: testing },
      to: {
        path: '^services/$1/src/[^/]+/.+',
        pathNot: [testing, `^services/$1/src/${area}$2/`, `^services/$1/src/${area}[^/]+/index\\.ts$`],
      },
    },
    ...oneWay('areas-of-chat', 'services/chat/src', areas),
    ...['from', 'to'].map((side) => ({
      name: 'no-folder-beside-areas',
      comment: 'A feature of chat lies in one of its areas: no rule knows another folder.',
      severity: 'error',
      from: {},
      to: {},
      [side]: { path: besideAreas },
    })),
    {
      name: 'top-of-chat-below-areas',
      comment: 'What all areas import imports none of them: it would be a way from a lower one to a higher one.',
      severity: 'error',
      from: { path: '^services/chat/src/[^/]+$', pathNot: ['^services/chat/src/(main|service)\\.ts$', test] },
      to: { path: inArea },
    },
    {
      name: 'areas-below-composition',
      comment:
        'main.ts, service.ts and helpers of specs import all areas: importing them is a way around the direction.',
      severity: 'error',
      from: { path: '^services/chat/src/', pathNot: ['^services/chat/src/main\\.ts$', test] },
      to: { path: ['^services/chat/src/(main|service)\\.ts$', '^services/chat/src/.*\\.spec(-setup)?\\.ts$'] },
    },
    ...oneWay('parts-of-generations', 'services/chat/src/answers/generations', [
      'rows',
      'asking',
      'writing',
      'workers',
    ]),
    ...oneWay('rooms-of-conversations', 'frontend/src/features/conversations', roomsOfConversations),
    {
      name: 'state-below-rooms',
      comment: 'What a feature knows lies below what it shows.',
      severity: 'error',
      from: { path: '^frontend/src/features/([^/]+)/state/', pathNot: test },
      to: { path: '^frontend/src/features/$1/', pathNot: '^frontend/src/features/$1/state/' },
    },
    {
      name: 'frontend-features-are-islands',
      severity: 'error',
      from: { path: '^frontend/src/features/([^/]+)/' },
      to: { path: '^frontend/src/features/', pathNot: '^frontend/src/features/$1/' },
    },
    {
      name: 'frontend-lower-layers',
      comment: 'ui and lib know no noun of the product, no feature and no app.',
      severity: 'error',
      from: { path: '^frontend/src/(ui|lib)/', pathNot: test },
      to: { path: '^frontend/src/(domain|features|app)/' },
    },
    {
      name: 'frontend-domain-below-features',
      comment: 'What features share of a noun knows none of them.',
      severity: 'error',
      from: { path: '^frontend/src/domain/', pathNot: test },
      to: { path: '^frontend/src/(features|app)/' },
    },
    {
      name: 'frontend-app-on-top',
      comment: 'Features know no app: links come from lib/paths.ts.',
      severity: 'error',
      from: { path: '^frontend/src/features/', pathNot: test },
      to: { path: '^frontend/src/app/' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: { path: source },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-type-cycles',
      comment:
        'A type that two files need lies in the lower one, or in a file of its own. The store has three circles yet.',
      severity: 'error',
      from: { path: source, pathNot: '^packages/embedded-mongo/' },
      to: { circular: true },
    },
    {
      name: 'contracts-know-nothing',
      severity: 'error',
      from: { path: '^packages/contracts/' },
      to: { path: '^(packages/(?!contracts/)|services/|bff/|embedded/|cli/|frontend/)' },
    },
    {
      name: 'platform-knows-contracts-only',
      severity: 'error',
      from: { path: '^packages/platform/', pathNot: test },
      to: { path: '^(packages/(?!contracts/|platform/)|services/|bff/|embedded/|cli/|frontend/)' },
    },
    {
      name: 'store-and-tooling-stand-alone',
      severity: 'error',
      from: { path: '^packages/(embedded-mongo|tooling)/' },
      to: { path: '^(packages/(?!embedded-mongo/|tooling/)|services/|bff/|embedded/|cli/|frontend/)' },
    },
    {
      name: 'services-below-compositions',
      severity: 'error',
      from: { path: '^(services|bff)/', pathNot: test },
      to: { path: '^(packages/(?!contracts/|platform/)|embedded/|cli/|frontend/)' },
    },
    {
      name: 'embedded-loads-no-client',
      comment: 'The one-process edition needs no Kafka and no Redis, so it must not load their clients either.',
      severity: 'error',
      from: { path: '^embedded/', pathNot: test },
      to: { path: ['^packages/platform/src/.*/kafka/', '^packages/platform/src/.*redis/'], reachable: true },
    },
    {
      name: 'testing-is-for-tests',
      severity: 'error',
      from: { path: '^(packages/(?!testing/)|services/|bff/|embedded/|cli/|frontend/)', pathNot: test },
      to: { path: '^packages/testing/' },
    },
    {
      name: 'nouns-are-pure',
      comment:
        "<noun>.ts holds types and rules: contracts, the tokeniser and its own folder's nouns, nothing that acts.",
      severity: 'error',
      from: { path: `^services/[^/]+/src/${area}([a-z-]+)s/(?:rows/)?\\1\\.ts$` },
      to: {
        pathNot: [
          '^packages/contracts/',
          '^packages/platform/src/text/',
          `^services/[^/]+/src/${area}[a-z-]+/(?:rows/)?[a-z-]+(\\.collection)?\\.ts$`,
        ],
      },
    },
    {
      name: 'repositories-stay-home',
      comment: 'Only a feature itself or its index opens its collections and its repository.',
      severity: 'error',
      from: { path: `^services/([^/]+)/src/${area}([^/]+)/`, pathNot: test },
      to: { path: '^services/$1/src/[^/]+/.*\\.(collection|repository)\\.ts$', pathNot: `^services/$1/src/${area}$2/` },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|dist-node|node_modules)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['parley-source', 'import', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs'],
    },
  },
};
