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
  'moving',
  'many',
  'list',
  'start',
  'projects',
  'talk',
];

/** Stacks of the platform, lowest first. */
const stacks = ['base', 'ports', 'rows', 'events', 'jobs', 'edge', 'process'];

/** The product words that platform still takes from contracts, by its files: what, and why. */
const wordsInPlatform = {
  'base/crypto/key-ring.ts': 'each deployable has keys of its own',
  'base/crypto/tokens.ts': 'signs and reads the principal for deployables',
  'base/crypto/verified-principals.ts': 'remembers which principals it verified',
  'base/ids/ids.ts': 'the prefix of each kind of id',
  'base/text/names.ts': 'the signs that names leave out',
  'edge/outbound/outbound-allow.ts': 'the rule of an allowed address, which the page checks too',
  'edge/peers/peers.ts': 'which deployable calls which service',
  'edge/revocations/revocation-log.ts': 'what auth and org say was revoked',
  'edge/revocations/revocations.ts': 'asks auth and org what was revoked',
  'edge/service/contract.guard.ts': 'decides about permissions of a principal',
  'edge/service/error-tests.ts': 'routes by which monitoring makes a service fail',
  'edge/service/event-health.ts': 'routes by which monitoring asks for events that wait',
  'edge/service/job-health.ts': 'routes by which monitoring asks for jobs',
  'edge/service/organisation-limits.ts':
    'routes and events of the limits of an organisation, the same in five services',
  'edge/service/platform.ts': 'which deployable this process is',
  'edge/service/problem.filter.ts': "answers what OpenAI's clients understand",
  'edge/service/route.ts': 'gives handlers the principal',
  'edge/flows/flows.module.ts': "consumes org's event of whose flow an organisation uses",
  'edge/flows/flows.ts': "consumes org's event of whose flow an organisation uses",
  'events/consumers/nest/event-strategy.ts': 'parses every event by its definition',
  'events/work/actor.ts': 'says in an event which principal acted',
  'jobs/counts/counts.ts': 'the tables of what can run at the same time and how often something can be attempted',
  'ports/reporter/error-report.ts': "the form of monitoring's reports",
  'ports/reporter/error-test.ts': "monitoring's tests of error reports",
  'ports/reporter/reporter.ts': 'what can fail, in words of the page',
  'ports/reporter/sentry/sentry-event.ts': "the form of monitoring's reports",
  'process/distributed-platform.ts': 'which deployable this process is',
  'process/process-config.ts': 'a setting for the address of each peer',
  'process/reporting/collector-reporter.ts': "calls monitoring's route for reports",
  'process/run-deployable.ts': 'which deployable this process is',
  'rows/mongo/tenant-scope.ts': 'makes the scope of a principal',
  'rows/quotas/quota-counter.collection.ts': 'the table of quotas',
  'rows/quotas/quota-sources.ts': 'the table of quotas',
  'rows/quotas/quotas.ts': 'the table of quotas',
};
const filesWithWords = Object.keys(wordsInPlatform).map(
  (file) => `^packages/platform/src/${file.replaceAll('.', '\\.')}$`,
);

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
      name: 'protocol-knows-zod-alone',
      comment: 'It declares routes, events and problems of any product. Lint refuses libraries other than zod there.',
      severity: 'error',
      from: { path: '^packages/protocol/', pathNot: test },
      to: { path: '^(packages/(?!protocol/)|services/|bff/|embedded/|cli/|frontend/)' },
    },
    {
      name: 'contracts-know-protocol-only',
      severity: 'error',
      from: { path: '^packages/contracts/' },
      to: { path: '^(packages/(?!contracts/|protocol/)|services/|bff/|embedded/|cli/|frontend/)' },
    },
    {
      name: 'platform-knows-protocol-and-contracts',
      severity: 'error',
      from: { path: '^packages/platform/', pathNot: test },
      to: { path: '^(packages/(?!contracts/|platform/|protocol/)|services/|bff/|embedded/|cli/|frontend/)' },
    },
    ...[
      ...oneWay('stacks-of-platform', 'packages/platform/src', stacks),
      ...oneWay('folders-of-events', 'packages/platform/src/events', ['event-bus', 'outbox', 'work', 'consumers']),
    ].map((rule) => ({ ...rule, from: { ...rule.from, pathNot: test } })),
    ...['from', 'to'].map((side) => ({
      name: 'no-folder-beside-stacks',
      comment: 'A file of the platform lies in one of its stacks: no rule knows another folder.',
      severity: 'error',
      from: {},
      to: {},
      [side]: { path: `^packages/platform/src/(?!(?:${stacks.join('|')})/)` },
    })),
    {
      name: 'platform-names-its-product-words',
      comment: 'What platform takes from contracts is listed above with its reason; what declares is in protocol.',
      severity: 'error',
      from: { path: '^packages/platform/src/', pathNot: [test, ...filesWithWords] },
      to: { path: '^packages/contracts/' },
    },
    {
      name: 'document-reader-stands-alone',
      comment: 'It reads what anybody sends, and knows no other package of Parley.',
      severity: 'error',
      from: { path: '^packages/document-reader/', pathNot: test },
      to: { path: '^(packages/(?!document-reader/)|services/|bff/|embedded/|cli/|frontend/)' },
    },
    {
      name: 'chat-exports-know-contracts-only',
      comment: 'It reads what anybody sends. Of contracts it takes the list of kinds of files.',
      severity: 'error',
      from: { path: '^packages/chat-exports/', pathNot: test },
      to: { path: '^(packages/(?!chat-exports/|contracts/)|services/|bff/|embedded/|cli/|frontend/)' },
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
      to: {
        path: '^(packages/(?!contracts/|platform/|protocol/|chat-exports/|document-reader/)|embedded/|cli/|frontend/)',
      },
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
          '^packages/(contracts|protocol)/',
          '^packages/platform/src/base/text/',
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
