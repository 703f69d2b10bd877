import { describe, expect, test } from '@jest/globals';
import { overlays, readRendered, type KubernetesObject } from './objects.ts';
import { rules } from './rules.ts';

type Any = Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any -- breaks whatever a manifest may hold
const find = (objects: KubernetesObject[], kind: string, name: string): Any =>
  objects.find((object) => object.kind === kind && object.metadata.name === name) as Any;
const podOf = (objects: KubernetesObject[], name: string): Any =>
  find(objects, 'Deployment', name)['spec'].template.spec;
const containerOf = (objects: KubernetesObject[], name: string): Any => podOf(objects, name)['containers'][0];
const drop = (objects: KubernetesObject[], kind: string, name: string): void =>
  void objects.splice(
    objects.findIndex((object) => object.kind === kind && object.metadata.name === name),
    1,
  );
const findingsOf = (objects: readonly KubernetesObject[]): string[] =>
  rules.flatMap(({ name, check }) => check(objects).map((finding) => `${name}: ${finding}`));

describe.each(overlays)('overlay %s', (overlay) => {
  test.each(rules.map(({ name, check }) => [name, check] as const))('%s', (_name, check) =>
    expect(check(readRendered(overlay))).toEqual([]),
  );
});

/** What somebody gets wrong one day, and the rule that must say so. */
const broken: readonly [string, string, (objects: KubernetesObject[]) => void][] = [
  [
    'a deployable is forgotten',
    'every deployable has its objects',
    (objects) => drop(objects, 'Deployment', 'billing'),
  ],
  [
    'no disruption budget',
    'every deployable has its objects',
    (objects) => drop(objects, 'PodDisruptionBudget', 'bff'),
  ],
  [
    'a release that sets back what the autoscaler has made',
    'scales itself',
    (objects) => (find(objects, 'Deployment', 'chat-worker')['spec'].replicas = 2),
  ],
  [
    'a worker that takes more than it carries',
    'takes no more answers',
    (objects) => (find(objects, 'ConfigMap', 'chat-worker')['data'].PARLEY_WORKER_SLOTS = '200'),
  ],
  [
    'a deployable of another time',
    'no deployable that the code does not know',
    (objects) => (find(objects, 'Deployment', 'org')['metadata'].name = 'orgs'),
  ],
  [
    'it starts another main file',
    'starts its own main file',
    (objects) => containerOf(objects, 'auth')['command'].splice(-1, 1, 'services/org/dist/main.js'),
  ],
  [
    'a variable is missing',
    'sets every variable that the code reads',
    (objects) => delete find(objects, 'ConfigMap', 'parley')['data'].PARLEY_REDIS_URL,
  ],
  [
    'a peer without an address',
    'sets every variable that the code reads',
    (objects) => delete find(objects, 'ConfigMap', 'parley')['data'].PARLEY_BILLING_URL,
  ],
  [
    'a value that is refused',
    'sets every variable that the code reads',
    (objects) => (find(objects, 'ConfigMap', 'chat-worker')['data'].PARLEY_ROLE = 'workers'),
  ],
  [
    'https without a trusted proxy',
    'sets every variable that the code reads',
    (objects) => delete find(objects, 'ConfigMap', 'bff')['data'].PARLEY_TRUSTED_PROXY,
  ],
  [
    'a misspelt variable',
    'sets no variable that the code does not read',
    (objects) => (find(objects, 'ConfigMap', 'auth')['data'].PARLEY_REGISTRATON = 'open'),
  ],
  [
    'a secret in a ConfigMap',
    'sets no variable that the code does not read',
    (objects) => (find(objects, 'ConfigMap', 'chat-api')['data'].PARLEY_SEALING_KEY = 'AAAA'),
  ],
  [
    'the secrets of another deployable',
    'takes its secrets from a Secret of its own',
    (objects) => (containerOf(objects, 'org')['envFrom'][2].secretRef.name = 'auth'),
  ],
  [
    'a probe on another path',
    'is probed where the code answers',
    (objects) => (containerOf(objects, 'bff')['readinessProbe'].httpGet.path = '/healthz'),
  ],
  [
    'liveness on the public port',
    'is probed where the code answers',
    (objects) => (containerOf(objects, 'bff')['livenessProbe'].httpGet.port = 'http'),
  ],
  [
    'a Service that selects nothing',
    'has a Service whose selector',
    (objects) => (find(objects, 'Service', 'auth')['spec'].selector = { app: 'auth' }),
  ],
  [
    'a port that nothing listens on',
    'has a Service whose selector',
    (objects) => (find(objects, 'Service', 'org')['spec'].ports[0].port = 8080),
  ],
  [
    'a grace period shorter than the drain',
    'may end as long as it wants to',
    (objects) => (podOf(objects, 'chat-worker')['terminationGracePeriodSeconds'] = 30),
  ],
  [
    'a rollout that takes all pods',
    'rolls out without a gap',
    (objects) => (find(objects, 'Deployment', 'bff')['spec'].strategy.rollingUpdate.maxUnavailable = '100%'),
  ],
  [
    'a disruption budget of other pods',
    'rolls out without a gap',
    (objects) =>
      (find(objects, 'PodDisruptionBudget', 'org')['spec'].selector.matchLabels = { 'app.kubernetes.io/name': 'auth' }),
  ],
  [
    'an autoscaler of another deployable',
    'scales itself',
    (objects) => (find(objects, 'HorizontalPodAutoscaler', 'billing')['spec'].scaleTargetRef.name = 'bff'),
  ],
  [
    'a worker that scales on CPU',
    'scales itself',
    (objects) =>
      (find(objects, 'HorizontalPodAutoscaler', 'chat-worker')['spec'].metrics = [
        { type: 'Resource', resource: { name: 'cpu' } },
      ]),
  ],
  [
    'scaling on memory',
    'scales itself',
    (objects) =>
      find(objects, 'HorizontalPodAutoscaler', 'bff')['spec'].metrics.push({
        type: 'Resource',
        resource: { name: 'memory' },
      }),
  ],
  ['root', 'pods run without rights', (objects) => (podOf(objects, 'auth')['securityContext'].runAsNonRoot = false)],
  [
    'a writable root file system',
    'pods run without rights',
    (objects) => (containerOf(objects, 'monitoring')['securityContext'].readOnlyRootFilesystem = false),
  ],
  [
    'no memory limit',
    'pods run without rights',
    (objects) => delete containerOf(objects, 'chat-api')['resources'].limits,
  ],
  [
    'a CPU limit',
    'pods run without rights',
    (objects) => (containerOf(objects, 'chat-api')['resources'].limits.cpu = '1'),
  ],
  [
    'the newest image, whatever it is',
    'pods run without rights',
    (objects) => (containerOf(objects, 'chat-api')['image'] = 'parley-service:latest'),
  ],
  [
    'a token of the cluster',
    'pods run without rights',
    (objects) => (podOf(objects, 'org')['automountServiceAccountToken'] = true),
  ],
  ['no default deny', 'everything is closed', (objects) => drop(objects, 'NetworkPolicy', 'default-deny')],
  [
    'a namespace that takes any pod',
    'everything is closed',
    (objects) => delete find(objects, 'Namespace', 'parley')['metadata'].labels['pod-security.kubernetes.io/enforce'],
  ],
  [
    'an edge too many',
    'network edges',
    (objects) =>
      find(objects, 'NetworkPolicy', 'billing')['spec'].egress.push({
        to: [{ ipBlock: { cidr: '0.0.0.0/0' } }],
        ports: [{ protocol: 'TCP', port: 443 }],
      }),
  ],
  ['an edge too few', 'network edges', (objects) => (find(objects, 'NetworkPolicy', 'bff')['spec'].egress = [])],
  [
    'a caller that is not let in',
    'network edges',
    (objects) => (find(objects, 'NetworkPolicy', 'chat-api')['spec'].ingress = []),
  ],
];

describe('a broken manifest is caught by its rule', () => {
  test.each(broken)('%s', (_what, rule, breakIt) => {
    const objects = structuredClone(readRendered('prod'));
    breakIt(objects);
    expect(findingsOf(objects).filter((finding) => finding.startsWith(rule))).not.toEqual([]);
  });
});
