import { Injectable } from '@nestjs/common';
import {
  recoveryRequested,
  type changePassword,
  type checkPasswordReset,
  type getRecovery,
  type requestPasswordReset,
  type resetPassword,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { Counts } from '@parley/platform/counts';
import { newId } from '@parley/platform/ids';
import { Mailer } from '@parley/platform/mailer';
import { jobScope, Mongo, type Rows } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { job, Work } from '@parley/platform/work';
import { networkHeader, Problem, type ResponseOf } from '@parley/protocol';
import { verifyPassword } from '../passwords/index.ts';
import { browserOf, SessionsService } from '../sessions/index.ts';
import { UsersRepository } from '../users/index.ts';
import { PasswordSetting } from './password-setting.ts';
import { recoveryRows } from './recovery.collection.ts';
import { ResetLinks, type ResetLink } from './reset-links.ts';

const recovering = jobScope('getting an account back: nobody is signed in yet');

/** How people get a new password: by a mailed link, or by the one they have. */
@Injectable()
export class RecoveryService {
  private readonly recoveries: Rows<typeof recoveryRows>;

  constructor(
    mongo: Mongo,
    private readonly users: UsersRepository,
    private readonly sessions: SessionsService,
    private readonly links: ResetLinks,
    private readonly passwords: PasswordSetting,
    private readonly counts: Counts,
    private readonly mailer: Mailer,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {
    this.recoveries = mongo.rows(recoveryRows);
  }

  async info(): Promise<ResponseOf<typeof getRecovery>> {
    return { sendsMail: this.mailer.delivers, contacts: await this.users.platformAdminNames(recovering) };
  }

  /** Nothing is looked up here: the same for every address, as fast for every address. `sendResetLink` goes on. */
  async request({
    body,
    request,
  }: InputOf<typeof requestPasswordReset>): Promise<ResponseOf<typeof requestPasswordReset>> {
    const { email, locale } = body;
    await this.counts.attempt('reset', `${email} ${request.header(networkHeader) ?? ''}`);
    const createdAt = this.clock.now();
    const recoveryId = newId('recovery');
    await this.work.run(job('asks for a new password'), async (tx) => {
      await this.recoveries.within(recovering, tx).insert({ _id: recoveryId, email, locale, createdAt });
      tx.record(recoveryRequested, { recoveryId });
    });
    return { endsAt: this.links.endOfNew(createdAt).toISOString() };
  }

  async check({ body }: InputOf<typeof checkPasswordReset>): Promise<ResponseOf<typeof checkPasswordReset>> {
    const link = await this.liveLink(body.token);
    const user = await this.users.findById(recovering.of(link.userId));
    if (!user) throw linkEnded();
    return { email: user.email, endsAt: link.endsAt.toISOString() };
  }

  async reset({
    body,
    request,
    startSession,
  }: InputOf<typeof resetPassword>): Promise<ResponseOf<typeof resetPassword>> {
    const link = await this.liveLink(body.token);
    const scope = recovering.of(link.userId);
    const user = await this.users.findById(scope);
    if (!user) throw linkEnded();
    const passwordHash = await this.passwords.hash(body.password, user);
    // One that somebody has handed over, or the operator's command has printed, went to nobody's mailbox.
    const isMailed = await this.links.isMailed(link);
    const { session, endedSessions } = await this.work.run(
      job('sets a new password', { onBehalfOf: user.id }),
      async (tx) => {
        if (!(await this.links.use(tx, scope, link))) throw linkEnded();
        const ended = await this.passwords.set(tx, scope, { passwordHash, by: 'link', keep: null });
        if (isMailed) await this.users.prove(scope, tx);
        const started = await this.sessions.start(scope, tx, browserOf(request));
        return { session: started, endedSessions: ended };
      },
    );
    startSession(session.id);
    return { endedSessions };
  }

  async change({ scope, principal, body }: InputOf<typeof changePassword>): Promise<ResponseOf<typeof changePassword>> {
    const counted = await this.counts.attempt('password', scope.userId);
    const user = await this.users.findById(scope);
    const stored = await this.users.passwordHash(scope);
    if (!user || !(await verifyPassword(body.current, stored))) throw new Problem('auth.password-wrong');
    await counted.forget();
    const passwordHash = await this.passwords.hash(body.password, user);
    const endedSessions = await this.work.run(principal, (tx) =>
      this.passwords.set(tx, scope, { passwordHash, by: 'password', keep: principal.sessionKey }),
    );
    return { endedSessions };
  }

  private async liveLink(token: string): Promise<ResetLink> {
    const link = await this.links.find(recovering, token);
    if (!link) throw linkEnded();
    return link;
  }
}

/** One answer for every link that does not work: whoever has guessed learns nothing. */
const linkEnded = (): Problem =>
  new Problem('auth.link-ended', {
    detail: 'It was used, was replaced by a newer one, or has expired. Ask for a new one.',
  });
