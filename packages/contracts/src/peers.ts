import type { Deployable } from './principal.ts';

/** A deployable that others may call. */
export type Service = Exclude<Deployable, 'bff'>;

/** Everybody asks auth and org what was revoked. */
const revokers = ['auth', 'org'] as const;

/**
 * Whom each deployable calls. Settings, the variables table of the handbook, compose, the manifests' variables and
 * network edges follow from it: a new entry turns their checks red until they have it too.
 */
export const peersOf = {
  bff: [...revokers, 'chat', 'billing', 'monitoring'],
  auth: revokers,
  org: revokers,
  chat: revokers,
  billing: revokers,
  monitoring: revokers,
} as const satisfies Record<Deployable, readonly Service[]>;

/** The setting that says where a peer listens. */
export type PeerVariable<Peer extends Service = Service> = `PARLEY_${Uppercase<Peer>}_URL`;
export const peerVariable = <Peer extends Service>(peer: Peer): PeerVariable<Peer> =>
  `PARLEY_${peer.toUpperCase() as Uppercase<Peer>}_URL`;

/** The process that answers for a service, by which others reach it: chat has two, one of which only writes answers. */
export const answeringProcess = (service: Service): string => (service === 'chat' ? 'chat-api' : service);
