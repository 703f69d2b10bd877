import type { KubernetesObject } from './objects.ts';

type Probe = { httpGet?: { path: string; port: string | number } };
type Container = {
  name: string;
  image: string;
  command?: string[];
  ports?: { name: string; containerPort: number }[];
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  startupProbe?: Probe;
  readinessProbe?: Probe;
  livenessProbe?: Probe;
  securityContext?: {
    allowPrivilegeEscalation?: boolean;
    readOnlyRootFilesystem?: boolean;
    capabilities?: { drop?: string[] };
  };
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> };
};
type PodSpec = {
  containers: Container[];
  initContainers?: Container[];
  terminationGracePeriodSeconds?: number;
  automountServiceAccountToken?: boolean;
  serviceAccountName?: string;
  securityContext?: { runAsNonRoot?: boolean; runAsUser?: number; seccompProfile?: { type: string } };
};
export type Workload = KubernetesObject & {
  spec: {
    replicas?: number;
    selector?: { matchLabels: Record<string, string> };
    strategy?: { rollingUpdate?: { maxUnavailable?: unknown } };
    template: { metadata: { labels: Record<string, string> }; spec: PodSpec };
  };
};

export const ofKind = (objects: readonly KubernetesObject[], kind: string): KubernetesObject[] =>
  objects.filter((object) => object.kind === kind);
export const named = (objects: readonly KubernetesObject[], kind: string, name: string): KubernetesObject | undefined =>
  ofKind(objects, kind).find((object) => object.metadata.name === name);
export const deploymentsOf = (objects: readonly KubernetesObject[]): Workload[] =>
  ofKind(objects, 'Deployment') as Workload[];
export const workloadsOf = (objects: readonly KubernetesObject[]): Workload[] => [
  ...deploymentsOf(objects),
  ...(ofKind(objects, 'Job') as Workload[]),
];
export const containersOf = ({ spec }: Workload): Container[] => [
  ...(spec.template.spec.initContainers ?? []),
  ...spec.template.spec.containers,
];
export const nameLabel = 'app.kubernetes.io/name';

/** The variables of a deployable as its pod would see them, secrets without values. */
export function environmentOf({ spec }: Workload, objects: readonly KubernetesObject[]): Record<string, string> {
  const sources = spec.template.spec.containers[0]?.envFrom ?? [];
  return Object.assign(
    {},
    ...sources.map(({ configMapRef }) =>
      configMapRef ? (named(objects, 'ConfigMap', configMapRef.name)?.['data'] ?? {}) : {},
    ),
  ) as Record<string, string>;
}
