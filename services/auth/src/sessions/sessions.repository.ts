import { Injectable } from '@nestjs/common';
import type { OrgId } from '@parley/contracts';
import { Mongo, type PersonScope, type PlatformScope, type Transaction } from '@parley/platform/mongo';
import type { Model } from 'mongoose';
import { sessionSchema, type SessionRow } from './session.schema.ts';

@Injectable()
export class SessionsRepository {
  private readonly sessions: Model<SessionRow>;

  constructor(mongo: Mongo) {
    this.sessions = mongo.model('Session', sessionSchema);
  }

  /** Starts with the default organisation of the person's newest other session, and tells it. */
  async create(
    scope: PersonScope,
    session: Omit<SessionRow, 'userId' | 'defaultOrgId'>,
    tx: Transaction,
  ): Promise<OrgId | null> {
    const [latest] = await this.sessions
      .find({ userId: scope.userId })
      .sort({ createdAt: -1 })
      .limit(1)
      .session(tx.session)
      .lean();
    const defaultOrgId = latest?.defaultOrgId ?? null;
    await this.sessions.create([{ ...session, userId: scope.userId, defaultOrgId }], { session: tx.session });
    return defaultOrgId;
  }

  async find(_scope: PlatformScope, sessionKey: string): Promise<SessionRow | null> {
    return this.sessions.findById(sessionKey).lean();
  }

  async touch(scope: PersonScope, sessionKey: string, idleUntil: Date): Promise<void> {
    await this.sessions.updateOne({ _id: sessionKey, userId: scope.userId }, { $set: { idleUntil } });
  }

  async setDefaultOrganisation(scope: PersonScope, sessionKey: string, defaultOrgId: OrgId): Promise<void> {
    await this.sessions.updateOne({ _id: sessionKey, userId: scope.userId }, { $set: { defaultOrgId } });
  }

  /** False when it was gone already. */
  async delete(scope: PersonScope, sessionKey: string, tx: Transaction): Promise<boolean> {
    const result = await this.sessions.deleteOne({ _id: sessionKey, userId: scope.userId }, { session: tx.session });
    return result.deletedCount === 1;
  }

  /** Deletes all of the person's and tells their keys. */
  async deleteAll(scope: PersonScope, tx: Transaction): Promise<string[]> {
    const rows = await this.sessions.find({ userId: scope.userId }, { _id: 1 }).session(tx.session).lean();
    await this.sessions.deleteMany({ userId: scope.userId }, { session: tx.session });
    return rows.map((row) => row._id);
  }
}
