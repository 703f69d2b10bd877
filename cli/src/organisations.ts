import type { PersonPrincipal } from '@parley/contracts';
import { approveByOperator } from '@parley/org';
import { Mongo } from '@parley/platform/mongo';
import { withOwner } from '@parley/platform/service';
import type { UserId } from '@parley/protocol';
import { openDatabases, type Databases } from './databases.ts';
import { owners } from './migrate-schema.ts';
import { operatorPlatform } from './operator-platform.ts';

/** `by`: the address of the platform admin whom the audit log names; the first one unless given. */
export type ApproveOptions = { readonly all?: boolean; readonly by?: string; readonly data?: string };

/** Approves the organisations that are named by id or URL name, or all that are not approved. Repeating it changes nothing. */
export async function approveOrganisations(names: readonly string[], options: ApproveOptions): Promise<string[]> {
  const isAll = options.all === true;
  if (isAll === names.length > 0) throw new Error('Name the organisations to approve, or give --all.');
  const databases = await openDatabases(options.data);
  try {
    const principal = await platformAdmin(databases, options.by);
    const platform = await operatorPlatform(databases.uriOf('org'), 'org');
    const count = await withOwner(platform, owners.org, (owner) =>
      approveByOperator(owner, { names: isAll ? null : names, principal }),
    );
    return [`Organisations approved: ${count}. It takes effect as soon as Parley runs.`];
  } finally {
    await databases.close();
  }
}

async function platformAdmin(databases: Databases, address: string | undefined): Promise<PersonPrincipal> {
  const mongo = await Mongo.connect(databases.uriOf('auth'));
  const users = mongo.connection.collection<{ _id: string; email: string; name: string; locale: string }>('users');
  const email = address?.trim().toLowerCase();
  const admin = await users
    .findOne({ platformRole: 'admin', ...(email !== undefined && { email }) }, { sort: { _id: 1 } })
    .finally(() => mongo.close());
  if (!admin) throw new Error(email ? `${email} is not a platform admin.` : 'There is no platform admin yet.');
  const { _id, name, locale } = admin;
  const who = { kind: 'person', userId: _id as UserId, name, locale, sessionKey: 'parley' } as const;
  return { ...who, platformRole: 'admin', mayCreateOrganisations: true, organisation: null };
}
