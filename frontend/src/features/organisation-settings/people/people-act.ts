import type { Invitation, Member } from '@parley/contracts';

/** What is asked about before it is done, and about whom; `id` tells one from another. */
export type PeopleAct =
  | {
      readonly kind: 'role' | 'groups' | 'suspend' | 'remove' | 'transfer';
      readonly id: string;
      readonly member: Member;
    }
  | { readonly kind: 'revoke' | 'replace'; readonly id: string; readonly invitation: Invitation };
