import type { OrgId } from '@parley/protocol';
import type { OrganisationRow } from './organisation.collection.ts';

/** Names whose turns and limits an organisation shares, and how that changes. */
export type FlowFields = { readonly flow: FlowId } & Required<Pick<OrganisationRow, 'flowUntil' | 'flowAfter'>>;

/** Returns the flow of an organisation. Rows of earlier versions had that of their founder. */
export const flowOf = ({ _id, flow, founder }: Pick<OrganisationRow, '_id' | 'flow' | 'founder'>): FlowId =>
  flow ?? founder ?? _id;
export type FlowId = NonNullable<OrganisationRow['flow']>;

export const ownFlow = (orgId: OrgId): FlowFields => forGood(orgId);
export const forGood = (flow: FlowId): FlowFields => ({ flow, flowUntil: null, flowAfter: null });
