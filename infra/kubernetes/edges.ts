import { httpPort, knownDeployables, storePorts, type KnownDeployable } from '../deployables.ts';
import type { KubernetesObject } from './objects.ts';

const podsOf = (label: string, name: string) => ({ podSelector: { matchLabels: { [label]: name } } });
const nameOf = (deployable: string) => podsOf('app.kubernetes.io/name', deployable);
const on = (port: number) => [{ protocol: 'TCP', port }];

/** The only entry: the gateway's namespace to the BFF. */
const gateway = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'gateway' } } };
/** Public addresses only; overlays add private ones by name. */
const anywhere = [
  {
    ipBlock: {
      cidr: '0.0.0.0/0',
      except: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', '100.64.0.0/10'],
    },
  },
];
/** Model servers, as the outbound guard has it. */
const outside = { to: anywhere, ports: on(443) };
const mailServer = { to: anywhere, ports: [465, 587].flatMap(on) };

/** One policy per deployable: who may call it, and what it may call, as its code does. */
export const networkEdges = (): KubernetesObject[] =>
  Object.entries(knownDeployables).map(([name, known]) => {
    const callers = [
      ...(name === 'bff' ? [gateway] : []),
      ...Object.entries(knownDeployables)
        .filter(([caller, { calls }]) => caller !== name && calls.includes(name))
        .map(([caller]) => nameOf(caller)),
    ];
    return {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name },
      spec: {
        ...nameOf(name),
        policyTypes: ['Ingress', 'Egress'],
        ...(callers.length > 0 && { ingress: [{ from: callers, ports: on(httpPort) }] }),
        egress: egressOf(name, known),
      },
    };
  });

function egressOf(name: string, { calls, stores, callsOutside, sendsMail }: KnownDeployable) {
  const peers = calls.filter((other) => other !== name).map(nameOf);
  return [
    { to: peers, ports: on(httpPort) },
    ...stores.map((store) => ({ to: [podsOf('parley.dev/store', store)], ports: on(storePorts[store]) })),
    ...(callsOutside ? [outside] : []),
    ...(sendsMail ? [mailServer] : []),
  ];
}
