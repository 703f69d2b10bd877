import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  httpPort,
  knownDeployables,
  managementPort,
  placeholders,
  secretVariables,
  storePorts,
  type KnownDeployable,
} from '../deployables.ts';
import { root, type KubernetesObject } from './objects.ts';
import {
  containersOf,
  deploymentsOf,
  environmentOf,
  named,
  nameLabel,
  ofKind,
  workloadsOf,
  type Workload,
} from './workloads.ts';

/**
 * What no API server checks: that the manifests say what the code reads, serves and calls. `objects` are those of one
 * overlay.
 */
export type Rule = { readonly name: string; check(objects: readonly KubernetesObject[]): string[] };

type ScalerMetric = {
  readonly resource?: { readonly name: string };
  readonly external?: { readonly metric: { readonly name: string } };
  readonly pods?: { readonly metric: { readonly name: string } };
};
/** Others scale by CPU alone. */
const signalsOf: Readonly<Record<string, readonly string[]>> = {
  'chat-worker': ['parley_generation_active', 'parley_generation_queued'],
  bff: ['parley_socket_open', 'cpu'],
};
/** At 80 tokens a second: docs/reference/sizing.md. */
const answersPerCore = 110;

/** One finding per deployable that fails; those that are missing are found by `every deployable`. */
const perDeployable = (
  name: string,
  check: (deployment: Workload, known: KnownDeployable, objects: readonly KubernetesObject[]) => string[],
): Rule => ({
  name,
  check: (objects) =>
    deploymentsOf(objects).flatMap((deployment) => {
      const known = knownDeployables[deployment.metadata.name];
      return known ? check(deployment, known, objects).map((finding) => `${deployment.metadata.name}: ${finding}`) : [];
    }),
});

export const rules: readonly Rule[] = [
  {
    name: 'every deployable has its objects',
    check: (objects) =>
      Object.keys(knownDeployables).flatMap((name) =>
        [
          'Deployment',
          'Service',
          'ServiceAccount',
          'ConfigMap',
          'PodDisruptionBudget',
          'HorizontalPodAutoscaler',
          'NetworkPolicy',
        ]
          .filter((kind) => !named(objects, kind, name))
          .map((kind) => `${name}: no ${kind}`),
      ),
  },
  {
    name: 'no deployable that the code does not know',
    check: (objects) =>
      deploymentsOf(objects)
        .filter(({ metadata }) => !knownDeployables[metadata.name])
        .map(({ metadata }) => `${metadata.name} is no deployable`),
  },
  perDeployable('starts its own main file', ({ spec }, { folder }) => {
    const file = spec.template.spec.containers[0]?.command?.find((part) => part.endsWith('.js')) ?? '';
    return file === `${folder}/dist/main.js` && existsSync(join(root, folder, 'src/main.ts'))
      ? []
      : [`starts ${file || 'nothing'}`];
  }),
  perDeployable(
    'sets every variable that the code reads, to a value that it takes',
    (deployment, { config }, objects) => {
      const result = config.safeParse({ ...placeholders, ...environmentOf(deployment, objects) });
      return result.success ? [] : result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    },
  ),
  perDeployable(
    'sets no variable that the code does not read, and no secret in a ConfigMap',
    (deployment, { variables }, objects) => {
      const names = Object.keys(environmentOf(deployment, objects));
      return [
        ...names.filter((name) => !variables.includes(name)).map((name) => `${name} is read by nothing`),
        ...names.filter((name) => secretVariables.has(name)).map((name) => `${name} is a secret`),
      ];
    },
  ),
  perDeployable('takes its secrets from a Secret of its own', ({ metadata, spec }) =>
    (spec.template.spec.containers[0]?.envFrom ?? []).some(({ secretRef }) => secretRef?.name === metadata.name)
      ? []
      : ['no Secret of its name'],
  ),
  perDeployable('is probed where the code answers', ({ spec }) => {
    const [container] = spec.template.spec.containers;
    const wanted = {
      startupProbe: '/health/startup',
      readinessProbe: '/health/ready',
      livenessProbe: '/health/live',
    } as const;
    const ports = container?.ports ?? [];
    const portFaults = ports.some(
      ({ name, containerPort }) => name === 'management' && containerPort === managementPort,
    )
      ? []
      : ['no management port'];
    return [
      ...portFaults,
      ...Object.entries(wanted).flatMap(([probe, path]) => {
        const asked = container?.[probe as keyof typeof wanted]?.httpGet;
        return asked?.path === path && asked.port === 'management'
          ? []
          : [`${probe} is not ${path} on the management port`];
      }),
    ];
  }),
  perDeployable('has a Service whose selector and ports are the pods’', ({ metadata, spec }, _known, objects) => {
    const service = named(objects, 'Service', metadata.name)?.['spec'] as
      | { selector?: Record<string, string>; ports?: { port: number; targetPort: string }[] }
      | undefined;
    const labels = spec.template.metadata.labels;
    const containerPorts = new Map(
      (spec.template.spec.containers[0]?.ports ?? []).map(({ name, containerPort }) => [name, containerPort]),
    );
    const missesPods = Object.entries(service?.selector ?? { none: '' }).some(([key, value]) => labels[key] !== value);
    return [
      ...(missesPods ? ['its Service selects no pod'] : []),
      ...(service?.ports ?? [])
        .filter(({ port, targetPort }) => containerPorts.get(targetPort) !== port)
        .map(({ port }) => `port ${port} goes nowhere`),
    ];
  }),
  perDeployable('may end as long as it wants to', ({ spec }, _known, objects) => {
    const deployment = { spec } as Workload;
    const shutdownMs = Number(environmentOf(deployment, objects)['PARLEY_SHUTDOWN_MS'] ?? 25_000);
    return (spec.template.spec.terminationGracePeriodSeconds ?? 30) * 1_000 >= shutdownMs + 5_000
      ? []
      : ['the grace period is shorter than its shutdown'];
  }),
  perDeployable(
    'rolls out without a gap and keeps one pod through disruptions',
    ({ metadata, spec }, _known, objects) => {
      const budget = named(objects, 'PodDisruptionBudget', metadata.name)?.['spec'] as
        | { maxUnavailable?: unknown; selector?: { matchLabels: Record<string, string> } }
        | undefined;
      const isBudgetOfOurs = budget?.selector?.matchLabels[nameLabel] === metadata.name && budget.maxUnavailable === 1;
      return [
        ...(spec.strategy?.rollingUpdate?.maxUnavailable === 0 ? [] : ['a rollout may leave none']),
        ...(isBudgetOfOurs ? [] : ['its disruption budget is of other pods']),
      ];
    },
  ),
  perDeployable('takes no more answers than its request carries', (workload, _known, objects) => {
    const slots = environmentOf(workload, objects)['PARLEY_WORKER_SLOTS'];
    if (slots === undefined) return [];
    const request = containersOf(workload)[0]?.resources?.requests?.['cpu'] ?? '0m';
    const cores = Number.parseInt(request, 10) / (request.endsWith('m') ? 1_000 : 1);
    return Number(slots) <= cores * answersPerCore ? [] : [`has ${slots} slots, ${request} carries fewer`];
  }),
  perDeployable('scales itself by what it is full of', ({ metadata, spec }, _known, objects) => {
    type Scaler = {
      scaleTargetRef: { kind: string; name: string };
      minReplicas: number;
      maxReplicas: number;
      metrics: ScalerMetric[];
    };
    const scaler = named(objects, 'HorizontalPodAutoscaler', metadata.name)?.['spec'] as Scaler | undefined;
    if (scaler?.scaleTargetRef.kind !== 'Deployment' || scaler.scaleTargetRef.name !== metadata.name)
      return ['its autoscaler scales something else'];
    const signals = scaler.metrics.map(
      ({ resource, external, pods }) => resource?.name ?? (external ?? pods)?.metric.name,
    );
    const wanted = signalsOf[metadata.name] ?? ['cpu'];
    return [
      ...wanted.filter((signal) => !signals.includes(signal)).map((signal) => `does not scale on ${signal}`),
      ...(spec.replicas === undefined ? [] : ['sets its size back at each release, whatever its autoscaler says']),
      ...(signals.includes('memory') ? ['scales on memory, which Node keeps'] : []),
      ...(scaler.maxReplicas > scaler.minReplicas ? [] : ['cannot grow']),
    ];
  }),
  {
    name: 'pods run without rights, with limits, from a named version',
    check: (objects) =>
      workloadsOf(objects).flatMap((workload) => {
        const { automountServiceAccountToken, serviceAccountName, securityContext } = workload.spec.template.spec;
        const faults = [
          automountServiceAccountToken !== false && 'mounts a token of the cluster',
          !named(objects, 'ServiceAccount', serviceAccountName ?? '') && 'has no service account of its own',
          (securityContext?.runAsNonRoot !== true || !securityContext.runAsUser) && 'may run as root',
          securityContext?.seccompProfile?.type !== 'RuntimeDefault' && 'has no seccomp profile',
          ...containersOf(workload).flatMap((container) => [
            container.securityContext?.allowPrivilegeEscalation !== false && 'may gain privileges',
            container.securityContext?.readOnlyRootFilesystem !== true && 'may write its code',
            container.securityContext?.capabilities?.drop?.includes('ALL') !== true && 'keeps capabilities',
            (!container.resources?.requests?.['cpu'] || !container.resources.requests['memory']) &&
              'requests no resources',
            !container.resources?.limits?.['memory'] && 'has no memory limit',
            container.resources?.limits?.['cpu'] && 'is throttled by a CPU limit',
            !/:\d+\.\d+\.\d+$/.test(container.image) && 'runs an image without a version',
          ]),
        ].filter((fault) => typeof fault === 'string');
        return faults.map((fault) => `${workload.metadata.name} ${fault}`);
      }),
  },
  {
    name: 'everything is closed unless a policy opens it, and the namespace is restricted',
    check: (objects) => {
      type Policy = { podSelector: object; policyTypes: string[]; ingress?: unknown[]; egress?: unknown[] };
      const denies = ofKind(objects, 'NetworkPolicy').some((object) => {
        const { podSelector, policyTypes, ingress, egress } = object['spec'] as Policy;
        return Object.keys(podSelector).length === 0 && policyTypes.length === 2 && !ingress && !egress;
      });
      const isRestricted = ofKind(objects, 'Namespace').every(
        ({ metadata }) => metadata.labels?.['pod-security.kubernetes.io/enforce'] === 'restricted',
      );
      return [
        ...(denies ? [] : ['no policy denies by default']),
        ...(isRestricted && ofKind(objects, 'Namespace').length > 0
          ? []
          : ['the namespace does not enforce restricted pods']),
      ];
    },
  },
  { name: 'network edges are those that the code needs', check: (objects) => edgeFindings(objects) },
];

type Peer = { podSelector?: { matchLabels?: Record<string, string> }; ipBlock?: { cidr: string } };
type Side = { to?: Peer[]; from?: Peer[]; ports?: { port: number }[] };
const edge = (from: string, to: string, port: number): string => `${from} → ${to}:${port}`;

/** Which edges a policy's peers open, by the name of the deployable or the store. */
function edgesOf(sides: readonly Side[] = []): { name: string; port: number }[] {
  return sides.flatMap(({ to = [], from = [], ports = [] }) =>
    [...to, ...from].flatMap(({ podSelector, ipBlock }) => {
      const labels = podSelector?.matchLabels ?? {};
      const name = labels[nameLabel] ?? labels['parley.dev/store'] ?? (ipBlock ? 'outside' : undefined);
      return name === undefined ? [] : ports.map(({ port }) => ({ name, port }));
    }),
  );
}

function edgeFindings(objects: readonly KubernetesObject[]): string[] {
  return Object.entries(knownDeployables).flatMap(([name, { calls, stores, callsOutside, sendsMail }]) => {
    const { egress, ingress } = (named(objects, 'NetworkPolicy', name)?.['spec'] ?? {}) as {
      egress?: Side[];
      ingress?: Side[];
    };
    const wanted = new Set([
      ...calls.filter((other) => other !== name).map((other) => edge(name, other, httpPort)),
      ...stores.map((store) => edge(name, store, storePorts[store])),
      ...(callsOutside ? [edge(name, 'outside', 443)] : []),
      ...(sendsMail ? [edge(name, 'outside', 465), edge(name, 'outside', 587)] : []),
    ]);
    const opened = new Set(edgesOf(egress).map(({ name: to, port }) => edge(name, to, port)));
    const callers = Object.entries(knownDeployables)
      .filter(([caller, known]) => caller !== name && known.calls.includes(name))
      .map(([caller]) => edge(caller, name, httpPort));
    const admitted = new Set(edgesOf(ingress).map(({ name: from, port }) => edge(from, name, port)));
    return [
      ...[...wanted].filter((each) => !opened.has(each)).map((each) => `${each} is needed and closed`),
      ...[...opened].filter((each) => !wanted.has(each)).map((each) => `${each} is open and not needed`),
      ...callers.filter((each) => !admitted.has(each)).map((each) => `${each} is needed and not let in`),
      ...[...admitted].filter((each) => !callers.includes(each)).map((each) => `${each} is let in and not needed`),
    ];
  });
}
