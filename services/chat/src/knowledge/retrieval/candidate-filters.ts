import type { ConnectionId, DocumentId } from '@parley/contracts';
import type { OrganisationScope } from '@parley/platform/mongo';
import { searchScope } from '@parley/platform/text';
import { asKept, inConnections } from '../connections/index.ts';
import type { Within } from './passage.ts';

/** The front of the index: whatever others hold, a search reads the words of its own connections only. */
export const scopeOfWords = (scope: OrganisationScope, connectionId: ConnectionId): string =>
  searchScope(asKept(scope.orgId, connectionId) ?? scope.orgId);

/** What the index alone tells: the rows of these connections, but for two whose fronts happen to be the same. */
export const frontOf = (scope: OrganisationScope, within: Within, stem: string) => ({
  searchScope: { $in: within.map((id) => scopeOfWords(scope, id)) },
  searchKeys: stem,
});

/** Two connections may share the front of the index: which is whose is decided by the row's own field. */
export const holding = (scope: OrganisationScope, within: Within, stem: string) => ({
  ...frontOf(scope, within, stem),
  ...inConnections(scope.orgId, within),
});

/** Passages of these documents are found by nobody. */
export const notOf = (hidden: readonly DocumentId[]) => (hidden.length > 0 ? { documentId: { $nin: hidden } } : {});
