import type { Deployable } from './principal.ts';

/** A deployable that other deployables can call. */
export type Service = Exclude<Deployable, 'bff'>;

/** Lists the services that every deployable calls: auth and org for revocations, monitoring to report errors. */
const everybodys = ['auth', 'org', 'monitoring'] as const;

/**
 * Lists the services that each deployable calls; it can't call others. Every deployable knows every address, and the
 * network policy of Kubernetes allows what this list says. Run `npm run manifests` after a change.
 */
export const peersOf = {
  bff: [...everybodys, 'chat', 'billing'],
  auth: everybodys,
  org: everybodys,
  chat: [...everybodys, 'billing'],
  billing: everybodys,
  monitoring: [...everybodys, 'chat', 'billing'],
} as const satisfies Record<Deployable, readonly Service[]>;

/** Returns the process that answers calls to a service. Chat has two processes; the other one only writes answers. */
export const answeringProcess = (service: Service): string => (service === 'chat' ? 'chat-api' : service);
