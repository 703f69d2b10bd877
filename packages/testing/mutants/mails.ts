import type { Mutant } from './mutant.ts';

const src = 'services/auth/src';
const mailer = 'packages/platform/src/mailer';

export const mailMutants: readonly Mutant[] = [
  {
    breaks: 'an event that is handled again leads to a second mail',
    file: `${src}/mails/mails.service.ts`,
    find: "const mailId = derivedId('mail', [eventId]);",
    put: "const mailId = derivedId('mail', [eventId, Math.random()]);",
    spec: 'auth/src/mails/mail-sender.spec',
  },
  {
    breaks: 'two processes send one mail at the same time',
    file: `${src}/mails/mail-sender.ts`,
    find: '$set: { dueAt: new Date(now.getTime() + leaseMs), isTaken: true }',
    put: '$set: { dueAt: now, isTaken: true }',
    spec: 'auth/src/mails/mail-sender.spec',
  },
  {
    breaks: 'the secret stays when the mail is out',
    file: `${src}/mails/mail-sender.ts`,
    find: '...(isOver && { sealed: null, linkEndsAt: null }),',
    put: '',
    spec: 'auth/src/mails/mail-sender.spec',
  },
  {
    breaks: 'a refused mail is tried again all day',
    file: `${src}/mails/mail-sender.ts`,
    find: 'if (error instanceof MailRefused)',
    put: 'if (error === null)',
    spec: 'auth/src/mails/mail-sender.spec',
  },
  {
    breaks: 'a mail goes out although its link has ended',
    file: `${src}/mails/mail-sender.ts`,
    find: 'if (row.giveUpAt <= this.clock.now())',
    put: 'if (row.giveUpAt < new Date(0))',
    spec: 'auth/src/mails/mail-sender.spec',
  },
  {
    breaks: 'links that have ended stay in the store',
    file: `${src}/mails/mail-sender.ts`,
    find: 'await this.forgetEndedLinks();',
    put: '',
    spec: 'auth/src/mails/mail-sender.spec',
  },
  {
    breaks: 'a link is shown and nobody is told',
    file: `${src}/mails/mails.service.ts`,
    find: 'tx.record(mailRevealed,',
    put: 'void (mailRevealed,',
    spec: 'auth/src/mails/mails.spec',
  },
  {
    breaks: 'an ended link is shown',
    file: `${src}/mails/mails.service.ts`,
    find: 'linkEndsAt !== null && linkEndsAt > now;',
    put: 'linkEndsAt !== null;',
    spec: 'auth/src/mails/mails.spec',
  },
  {
    breaks: 'what people have called something is HTML',
    file: `${src}/mails/compose-mail.ts`,
    find: "escapes[sign] ?? ''",
    put: 'sign',
    spec: 'auth/src/mails/compose-mail.spec',
  },
  {
    breaks: 'a subject writes headers',
    file: `${mailer}/mailer.ts`,
    find: 'if (breaksLine.test(subject))',
    put: 'if (subject === to)',
    spec: 'testing/src/mailer.spec',
  },
  {
    breaks: 'a password travels readable where the server offers no TLS',
    file: `${mailer}/smtp/smtp-mailer.ts`,
    find: 'requireTLS: !secure && !isPlain,',
    put: 'requireTLS: false,',
    spec: 'testing/src/smtp-mailer.spec',
  },
  {
    breaks: 'a link sets two passwords',
    file: `${src}/recovery/recovery.service.ts`,
    find: 'if (!(await this.links.use(tx, scope, link))) throw linkEnded();',
    put: 'await this.links.use(tx, scope, link);',
    spec: 'auth/src/recovery/recovery.spec',
  },
  {
    breaks: 'a link works for ever',
    file: `${src}/recovery/reset-links.ts`,
    find: 'link && link.endsAt > this.clock.now() ? link : null',
    put: 'link',
    spec: 'auth/src/recovery/recovery.spec',
  },
  {
    breaks: 'older links go on working',
    file: `${src}/recovery/reset-links.ts`,
    find: `    await this.endAll(tx, scope);
    const token`,
    put: '    const token',
    spec: 'auth/src/recovery/recovery.spec',
  },
  {
    breaks: 'the store holds tokens that open accounts',
    file: `${src}/recovery/reset-links.ts`,
    find: 'insert({ _id: hashSecret(token),',
    put: 'insert({ _id: token,',
    spec: 'auth/src/recovery/recovery.spec',
  },
  {
    breaks: 'other devices stay signed in with the old password',
    file: `${src}/recovery/password-setting.ts`,
    find: "await this.sessions.endAll(tx, scope, { keep, reason: 'password-changed' })",
    put: '0',
    spec: 'auth/src/recovery/recovery.spec',
  },
  {
    breaks: 'a sign-in survives that its password was changed meanwhile',
    file: `${src}/sessions/sign-in.service.ts`,
    find: 'if ((await this.users.passwordHash(own, tx)) !== user.passwordHash)',
    put: 'if (user.passwordHash === null)',
    spec: 'auth/src/sessions/sign-in.spec',
  },
  {
    breaks: 'the own password is guessed without end',
    file: `${src}/recovery/recovery.service.ts`,
    find: "this.tries.count('password', scope.userId, guessing)",
    put: "this.tries.count('password', String(Math.random()), guessing)",
    spec: 'auth/src/recovery/recovery.spec',
  },
];
