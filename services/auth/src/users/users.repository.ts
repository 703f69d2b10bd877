import { Injectable } from '@nestjs/common';
import { Problem, type Locale, type UserId } from '@parley/contracts';
import { isDuplicateKey, Mongo, type PersonScope, type PlatformScope, type Transaction } from '@parley/platform/mongo';
import type { Model } from 'mongoose';
import {
  credentialSchema,
  setupSchema,
  userSchema,
  type CredentialRow,
  type SetupRow,
  type UserRow,
} from './user.schema.ts';
import type { User } from './user.ts';

@Injectable()
export class UsersRepository {
  private readonly users: Model<UserRow>;
  private readonly credentials: Model<CredentialRow>;
  private readonly setup: Model<SetupRow>;

  constructor(mongo: Mongo) {
    this.users = mongo.model('User', userSchema);
    this.credentials = mongo.model('Credential', credentialSchema);
    this.setup = mongo.model('Setup', setupSchema);
  }

  /** An address that is taken is `auth.email-taken`. */
  async create(_scope: PlatformScope, user: User & { passwordHash: string }, tx: Transaction): Promise<void> {
    const now = new Date();
    try {
      const { id, email, name, locale, platformRole, version } = user;
      await this.users.create([{ _id: id, email, name, locale, platformRole, version, createdAt: now }], {
        session: tx.session,
      });
      await this.credentials.create([{ _id: id, passwordHash: user.passwordHash, changedAt: now }], {
        session: tx.session,
      });
    } catch (error) {
      if (isDuplicateKey(error)) throw new Problem('auth.email-taken', {}, { cause: error });
      throw error;
    }
  }

  /** Claims the one setup; false when it was claimed before. */
  async claimSetup(_scope: PlatformScope, userId: UserId, tx: Transaction): Promise<boolean> {
    if (await this.setup.exists({ _id: 'platform-admin' }).session(tx.session)) return false;
    await this.setup.create([{ _id: 'platform-admin', userId, at: new Date() }], { session: tx.session });
    return true;
  }

  async isSetupDone(_scope: PlatformScope): Promise<boolean> {
    return (await this.setup.exists({ _id: 'platform-admin' })) !== null;
  }

  /** Names of up to three platform admins, for people who need somebody to ask. */
  async platformAdminNames(_scope: PlatformScope): Promise<string[]> {
    const admins = await this.users.find({ platformRole: 'admin' }).sort({ _id: 1 }).limit(3).lean();
    return admins.map((admin) => admin.name);
  }

  async findByEmail(_scope: PlatformScope, email: string): Promise<(User & { passwordHash: string | null }) | null> {
    const row = await this.users.findOne({ email }).lean();
    if (!row) return null;
    const credential = await this.credentials.findById(row._id).lean();
    return { ...toUser(row), passwordHash: credential?.passwordHash ?? null };
  }

  async findById(scope: PersonScope): Promise<User | null> {
    const row = await this.users.findById(scope.userId).lean();
    return row && toUser(row);
  }

  /** Null when the version is not the current one any more. */
  async update(scope: PersonScope, version: number, changes: { name?: string; locale?: Locale }): Promise<User | null> {
    const row = await this.users
      .findOneAndUpdate(
        { _id: scope.userId, version },
        { $set: changes, $inc: { version: 1 } },
        { returnDocument: 'after' },
      )
      .lean();
    return row && toUser(row);
  }
}

function toUser({ _id, email, name, locale, platformRole, version }: UserRow): User {
  return { id: _id, email, name, locale, platformRole: platformRole ?? null, version };
}
