import { listMails, makeInvitationLinks, queueInvitationMail, showMailLink } from '@parley/contracts';
import { feature, runBy } from '@parley/platform/service';
import { UsersModule } from '../users/index.ts';
import { BudgetMailsConsumer } from './budget-mails.consumer.ts';
import { InvitationMails } from './invitation-mails.ts';
import { InvitationMailsConsumer } from './invitation-mails.consumer.ts';
import { sendAccountMail, sendMail } from './mail-jobs.ts';
import { MailSender } from './mail-sender.ts';
import { MailsConsumer } from './mails.consumer.ts';
import { MailsService } from './mails.service.ts';

export { mailsToJobs } from './mail-jobs.ts';
export { MailsService } from './mails.service.ts';
export { nameInvitations, unverifyRevealed } from './revealed-links.ts';

export const mailsFeature = feature({
  routes: { list: listMails, showLink: showMailLink },
  handlers: MailsService,
  consumers: [BudgetMailsConsumer, MailsConsumer],
  jobs: [runBy(sendAccountMail, MailSender), runBy(sendMail, MailSender)],
  imports: [UsersModule],
  exports: [MailsService],
});

export const invitationMailsFeature = feature({
  routes: { queue: queueInvitationMail, makeLinks: makeInvitationLinks },
  handlers: InvitationMails,
  consumers: [InvitationMailsConsumer],
  imports: [mailsFeature, UsersModule],
});
