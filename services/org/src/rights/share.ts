import type { OrgId } from '@parley/protocol';
import type { OrganisationRow } from './organisation.collection.ts';

/** Names whose turns and limits an organisation shares, and how that changes. */
export type ShareFields = { readonly share: ShareId } & Required<Pick<OrganisationRow, 'shareUntil' | 'shareAfter'>>;

/** Returns the share of an organisation. Rows of earlier versions had that of their founder. */
export const shareOf = ({ _id, share, founder }: Pick<OrganisationRow, '_id' | 'share' | 'founder'>): ShareId =>
  share ?? founder ?? _id;
export type ShareId = NonNullable<OrganisationRow['share']>;

export const ownShare = (orgId: OrgId): ShareFields => forGood(orgId);
export const forGood = (share: ShareId): ShareFields => ({ share, shareUntil: null, shareAfter: null });
