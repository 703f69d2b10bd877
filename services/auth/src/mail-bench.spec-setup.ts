import type { MailId, PersonPrincipal } from '@parley/contracts';
import { Sealer } from '@parley/platform/crypto';
import { newId } from '@parley/platform/ids';
import { FolderMailer, type Mailer } from '@parley/platform/mailer';
import { jobScope } from '@parley/platform/mongo';
import type { Platform } from '@parley/platform/service';
import { NoMetrics } from '@parley/platform/telemetry';
import { job } from '@parley/platform/work';
import { Problem, type OrgId, type UserId } from '@parley/protocol';
import { aPerson, silentLogger, TestJobs, testStore, type ServiceStore } from '@parley/testing';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsersRepository } from './users/index.ts';
import { InvitationMails } from './mails/invitation-mails.ts';
import { sendAccountMail, sendMail } from './mails/mail-jobs.ts';
import { MailSender } from './mails/mail-sender.ts';
import { MailsService, type MailRow } from './mails/mails.service.ts';

const from = { name: 'Parley', address: 'no-reply@parley.example' };
export const tests = jobScope('tests');
export const address = { url: async () => 'https://parley.example' };
export const admin = { kind: 'person', userId: newId('user') } as PersonPrincipal;

/** A folder in which mails arrive. */
export class MailFolder {
  private constructor(
    readonly path: string,
    readonly mailer: FolderMailer,
  ) {}

  static async open(): Promise<MailFolder> {
    const path = await mkdtemp(join(tmpdir(), 'parley-mail-'));
    return new MailFolder(path, await FolderMailer.open(path, from));
  }

  async texts(): Promise<string[]> {
    return Promise.all((await readdir(this.path)).map((name) => readFile(join(this.path, name), 'utf8')));
  }

  remove(): Promise<void> {
    return rm(this.path, { recursive: true });
  }
}

/** Auth's mails on a store of their own, with the given mailer and as many senders as asked for. */
export class MailBench {
  readonly users: UsersRepository;
  readonly service: MailsService;
  readonly sealer = new Sealer(Buffer.alloc(32, 7));
  readonly invitations: InvitationMails;
  readonly sent: string[] = [];
  /** Secrets of invitations that org calls used. */
  readonly used = new Set<string>();
  private readonly org = {
    peers: {
      call: async (_route: unknown, { body }: { body: { token: string } }) => {
        if (this.used.has(body.token)) throw new Problem('org.invitation-not-found');
      },
    },
  } as unknown as Platform;

  constructor(
    readonly store: ServiceStore,
    private readonly mailer: Mailer,
  ) {
    const { mongo, work, clock } = store;
    this.users = new UsersRepository(mongo, clock);
    this.service = new MailsService(mongo, this.sealer, mailer, work, clock, address, this.org);
    this.invitations = new InvitationMails(this.service, this.users, mailer, work);
  }

  static async open(mailer: Mailer): Promise<MailBench> {
    return new MailBench(await testStore(), mailer);
  }

  /** A process that sends; with a failpoint it dies there. */
  sender(failpoint: () => Promise<void> = async () => {}, of = (orgId: OrgId): string => orgId) {
    const platform = { logger: silentLogger(), metrics: new NoMetrics(), failpoint } as unknown as Platform;
    const { mongo, work, clock } = this.store;
    const sender = new MailSender(mongo, this.service, this.mailer, work, clock, platform);
    const jobs = new TestJobs(this.store, { of }).with(sendAccountMail, sender).with(sendMail, sender);
    const sendDue = async (): Promise<void> => {
      await sender.forgetEndedLinks();
      await jobs.run();
    };
    return { sender, jobs, sendDue };
  }

  /** Asks for a mail with a link that works for half an hour. */
  async queueReset(to: string, eventId = newId('event')): Promise<MailRow> {
    const endsAt = new Date(this.store.clock.now().getTime() + 30 * 60_000);
    return this.store.work.run(job('tests'), (tx) =>
      this.service.queue(tx, {
        eventId,
        to,
        locale: 'en',
        content: { kind: 'password-reset', minutes: 30 },
        link: { token: 'the-secret-token', endsAt },
      }),
    );
  }

  /** As org asks for the mail of an invitation. */
  async queueInvitation(to: string, orgId: OrgId, inviterId?: UserId): Promise<void> {
    const endsAt = new Date(this.store.clock.now().getTime() + 3_600_000).toISOString();
    const invitation = { orgId, invitationId: newId('invitation'), round: 1 };
    const about = { organisation: 'Lindmoor', inviter: 'Ines', inviterId, locale: 'en', endsAt };
    const body = { eventId: newId('event'), invitation, to, ...about };
    await this.invitations.queue({ principal: aPerson(), body } as never);
  }

  async row(mailId: MailId): Promise<MailRow> {
    const row = await this.service.find(mailId);
    if (!row) throw new Error('no such mail');
    return row;
  }

  list(query: object = {}) {
    return this.service.list({ scope: tests, query: { limit: 50, ...query } } as never);
  }

  showLink(mailId: MailId, reason = 'no mail server') {
    return this.service.showLink({ principal: admin, scope: tests, params: { mailId }, body: { reason } } as never);
  }
}
