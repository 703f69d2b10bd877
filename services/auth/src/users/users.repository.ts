import { Injectable } from '@nestjs/common';
import type { Locale, PictureId } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import {
  isDuplicateKey,
  Mongo,
  type PersonScope,
  type PlatformScope,
  type RowOf,
  type Rows,
  type Transaction,
} from '@parley/platform/mongo';
import { Problem, type UserId } from '@parley/protocol';
import { credentialRows, setupRows, userRows } from './user.collection.ts';
import type { User } from './user.ts';

/** Nobody begins with a picture. */
type NewUser = Omit<User, 'picture'> & { passwordHash: string } & Pick<RowOf<typeof userRows>, 'invitedBy'>;
type Changes = { name?: string; picture?: PictureId | null; locale?: Locale; timeZone?: string | null };

@Injectable()
export class UsersRepository {
  private readonly users: Rows<typeof userRows>;
  private readonly credentials: Rows<typeof credentialRows>;
  private readonly setup: Rows<typeof setupRows>;

  constructor(
    mongo: Mongo,
    private readonly clock: Clock,
  ) {
    this.users = mongo.rows(userRows);
    this.credentials = mongo.rows(credentialRows);
    this.setup = mongo.rows(setupRows);
  }

  /** An address that is taken is `auth.email-taken`. */
  async create(scope: PersonScope, user: NewUser, tx: Transaction): Promise<void> {
    const now = this.clock.now();
    const { id, passwordHash, isProven, invitedBy, ...fields } = user;
    const from = invitedBy === undefined ? {} : { invitedBy };
    try {
      await this.users
        .within(scope, tx)
        .insert({ _id: id, ...fields, ...from, picture: null, provenAt: isProven ? now : null, createdAt: now });
      await this.credentials.within(scope, tx).insert({ _id: id, passwordHash, changedAt: now });
    } catch (error) {
      if (isDuplicateKey(error)) throw new Problem('auth.email-taken', {}, { cause: error });
      throw error;
    }
  }

  /** Claims the one setup; false when it was claimed before. */
  async claimSetup(scope: PlatformScope, userId: UserId, tx: Transaction): Promise<boolean> {
    const claim = { _id: 'platform-admin', userId, at: this.clock.now() } as const;
    return (await this.setup.within(scope, tx).insertOnce(claim)).isNew;
  }

  isSetupDone(scope: PlatformScope): Promise<boolean> {
    return this.setup.within(scope).exists({ _id: 'platform-admin' });
  }

  /** Names of up to three platform admins, for people who need somebody to ask. */
  async platformAdminNames(scope: PlatformScope): Promise<string[]> {
    const admins = await this.users.within(scope).find({ platformRole: 'admin' }, { sort: { _id: 1 }, limit: 3 });
    return admins.map((admin) => admin.name);
  }

  async findByEmail(scope: PlatformScope, email: string): Promise<(User & { passwordHash: string | null }) | null> {
    const row = await this.users.within(scope).findOne({ email });
    if (!row) return null;
    const credential = await this.credentials.within(scope.of(row._id)).findById(row._id);
    return { ...toUser(row), passwordHash: credential?.passwordHash ?? null };
  }

  /** In which language each of these addresses is written to, of those that have an account. */
  async localesOf(scope: PlatformScope, emails: readonly string[]): Promise<ReadonlyMap<string, Locale>> {
    const rows = await this.users.within(scope).find({ email: { $in: emails } }, { fields: ['email', 'locale'] });
    return new Map(rows.map(({ email, locale }) => [email, locale]));
  }

  async passwordHash(scope: PersonScope, tx?: Transaction): Promise<string | null> {
    return (await this.credentials.within(scope, tx).findById(scope.userId))?.passwordHash ?? null;
  }

  async setPassword(scope: PersonScope, passwordHash: string, tx: Transaction): Promise<void> {
    await this.credentials.within(scope, tx).update({}, { $set: { passwordHash, changedAt: this.clock.now() } });
  }

  async findById(scope: PersonScope): Promise<User | null> {
    const row = await this.users.within(scope).findById(scope.userId);
    return row && toUser(row);
  }

  /** Returns when the account was created, and by whose invitation; null without an account. */
  async arrival(scope: PersonScope): Promise<Pick<RowOf<typeof userRows>, 'createdAt' | 'invitedBy'> | null> {
    return this.users.within(scope).findById(scope.userId);
  }

  /** Returns those of the people that exist, in no order; for one page of ids. */
  async findAll(scope: PlatformScope, userIds: readonly UserId[]): Promise<User[]> {
    if (userIds.length === 0) return [];
    return (await this.users.within(scope).find({ _id: { $in: userIds } })).map(toUser);
  }

  /** A token that was mailed to the address came back. */
  async prove(scope: PersonScope, tx: Transaction): Promise<void> {
    await this.users.within(scope, tx).update({ provenAt: null }, { $set: { provenAt: this.clock.now() } });
  }

  /** Null when the version is not the current one any more. */
  async update(
    scope: PersonScope,
    { version, changes }: { readonly version: number; readonly changes: Changes },
    tx: Transaction,
  ): Promise<User | null> {
    const row = await this.users.within(scope, tx).change({ version }, { $set: changes, $inc: { version: 1 } });
    return row && toUser(row);
  }
}

function toUser(row: RowOf<typeof userRows>): User {
  const { _id, email, provenAt, name, picture, locale, timeZone, platformRole, version } = row;
  // Rows of the first version have none of these fields.
  const later = { isProven: Boolean(provenAt), timeZone: timeZone ?? null, picture: picture ?? null };
  return { id: _id, email, name, locale, platformRole, version, ...later };
}
