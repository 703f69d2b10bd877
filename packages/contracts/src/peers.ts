import type { Deployable } from './principal.ts';

/** A deployable that others may call. */
export type Service = Exclude<Deployable, 'bff'>;

/** Everybody asks auth and org what was revoked, and tells monitoring what failed. */
const everybodys = ['auth', 'org', 'monitoring'] as const;

/**
 * Whom each deployable calls; anybody else it cannot. Every deployable knows every address, the network of Kubernetes
 * lets through what stands here: `npm run manifests` writes that after a new entry.
 */
export const peersOf = {
  bff: [...everybodys, 'chat', 'billing'],
  auth: everybodys,
  org: everybodys,
  chat: [...everybodys, 'billing'],
  billing: everybodys,
  monitoring: [...everybodys, 'chat', 'billing'],
} as const satisfies Record<Deployable, readonly Service[]>;

/** The process that answers for a service, by which others reach it: chat has two, one of which only writes answers. */
export const answeringProcess = (service: Service): string => (service === 'chat' ? 'chat-api' : service);
