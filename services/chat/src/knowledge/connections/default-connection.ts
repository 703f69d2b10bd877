import type { ConnectionId } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import { apartFromClients, derivedId } from '@parley/platform/ids';

/** Where uploads go that name no other one. Every organisation has it, from the beginning. */
export const defaultConnectionIdOf = (orgId: OrgId): ConnectionId => derivedId('connection', ['uploads', orgId]);

/** Under which ids its row can be: in first place the one that a new row gets, in second the one of earlier versions. */
export const keptIdsOf = (orgId: OrgId, id: ConnectionId): readonly [ConnectionId, ...ConnectionId[]] =>
  id === defaultConnectionIdOf(orgId) ? [apartFromClients(id), id] : [id];

/** As it stands in rows: null, as is what was written before there were others, is the one above. */
export const asKept = (orgId: OrgId, id: ConnectionId): ConnectionId | null =>
  id === defaultConnectionIdOf(orgId) ? null : id;

/** Rows of these connections. */
export const inConnections = (orgId: OrgId, ids: readonly ConnectionId[]) => ({
  connectionId: { $in: ids.map((id) => asKept(orgId, id)) },
});

/** Of which connection a row is. */
export const connectionOf = (row: {
  readonly orgId: OrgId;
  readonly connectionId?: ConnectionId | null;
}): ConnectionId => row.connectionId ?? defaultConnectionIdOf(row.orgId);
