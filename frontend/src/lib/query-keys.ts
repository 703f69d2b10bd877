import type { OrgId } from '@parley/protocol';
import { resources, type Resource } from '@parley/contracts/names';

/** Whose the resource is: an organisation's, or the signed-in person's (null). */
export type OwnerOf<Name extends Resource> = (typeof resources)[Name] extends 'organisation' ? OrgId : null;

/**
 * Every query key begins with scope and resource, `['organisation', orgId, 'documents', …]` or
 * `['person', 'organisations', …]`: caches of two organisations never meet, and what the server calls old is found.
 */
export const resourceKey = <Name extends Resource>(
  resource: Name,
  owner: OwnerOf<Name>,
  ...rest: readonly unknown[]
): readonly unknown[] => [resources[resource], ...(owner === null ? [] : [owner]), resource, ...rest];

/** What a key of `resourceKey` is about. */
export const resourceOf = (key: readonly unknown[]): Resource => key[key[0] === 'organisation' ? 2 : 1] as Resource;
