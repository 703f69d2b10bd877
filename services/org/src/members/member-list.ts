import { Injectable } from '@nestjs/common';
import type { listMembers, ResponseOf } from '@parley/contracts';
import { Mongo, type Rows } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { wantedWords } from '@parley/platform/text';
import { membershipRows } from '../rights/index.ts';
import { toMember } from './member.ts';

const afterAllWords = '\uFFFF';

/** Finds members, by the start of any word and by one property. */
@Injectable()
export class MemberList {
  private readonly memberships: Rows<typeof membershipRows>;

  constructor(mongo: Mongo) {
    this.memberships = mongo.rows(membershipRows);
  }

  async list({ scope, principal, query }: InputOf<typeof listMembers>): Promise<ResponseOf<typeof listMembers>> {
    const { text, role, groupId, status, ...page } = query;
    const seesPersonal = principal.organisation?.permissions.includes('member:read_pii') ?? false;
    const found = text === undefined ? {} : holding(seesPersonal ? 'words' : 'nameWords', text);
    if (!found) return { items: [], nextCursor: null };
    const where = { ...found, ...(role && { role }), ...(groupId && { groupIds: groupId }), ...(status && { status }) };
    return this.memberships
      .within(scope)
      .page(page, { by: { sortName: 1 }, where, to: (row) => toMember(row, { seesPersonal }) });
  }
}

/** Null where the text has no word. */
function holding(field: 'words' | 'nameWords', text: string) {
  const wanted = wantedWords(text);
  if (!wanted) return null;
  const { whole, beginning } = wanted;
  if (beginning === null) return { [field]: { $all: whole } };
  const begun = { $elemMatch: { $gte: beginning, $lt: beginning + afterAllWords } };
  return { [field]: whole.length === 0 ? begun : { $all: whole, ...begun } };
}
