import { Injectable } from '@nestjs/common';
import { Problem, type BodyOf, type Me, type signIn } from '@parley/contracts';
import { hashSecret } from '@parley/platform/crypto';
import { Kv } from '@parley/platform/kv';
import { jobScope } from '@parley/platform/mongo';
import { job, Work } from '@parley/platform/work';
import { AuthSettings } from '../auth.config.ts';
import { verifyPassword } from '../passwords/index.ts';
import { toMe, UsersRepository } from '../users/index.ts';
import { SessionsService } from './sessions.service.ts';

const signingIn = jobScope('signing in');
const triesPerWindow = 10;
const windowMs = 15 * 60_000;
const triesKey = (email: string) => `auth:sign-in-tries:${hashSecret(email)}`;

@Injectable()
export class SignInService {
  constructor(
    private readonly users: UsersRepository,
    private readonly sessions: SessionsService,
    private readonly work: Work,
    private readonly kv: Kv,
    private readonly settings: AuthSettings,
  ) {}

  /**
   * One answer and one duration for a wrong password and an unknown address; ten wrong tries per account and quarter of
   * an hour.
   */
  async signIn({ email, password }: BodyOf<typeof signIn>): Promise<{ me: Me; sessionId: string }> {
    // Counted where counting works; a wrong password costs a slow hash in any case.
    const tries = await this.kv
      .increment(triesKey(email), { expiresAt: new Date(Date.now() + windowMs) })
      .catch(() => 0);
    if (tries > triesPerWindow)
      throw new Problem('platform.rate-limited', {
        retryAfterSeconds: windowMs / 1000,
        detail: 'Too many tries for this account. Try again in 15 minutes.',
      });
    const user = await this.users.findByEmail(signingIn, email);
    if (!(await verifyPassword(password, user?.passwordHash ?? null)) || !user)
      throw new Problem('auth.invalid-credentials');
    const session = await this.work.run(job('signs in', { onBehalfOf: user.id }), (tx) =>
      this.sessions.start(signingIn.of(user.id), tx),
    );
    await this.kv.delete(triesKey(email)).catch(() => undefined);
    const { passwordHash: _passwordHash, ...person } = user;
    return {
      me: toMe(person, { registration: this.settings.registration, defaultOrgId: session.defaultOrgId }),
      sessionId: session.id,
    };
  }
}
