import { listMails, makeInvitationLinks, queueInvitationMail, showMailLink } from '@parley/contracts';
import { FlowsModule } from '@parley/platform/fair-turns';
import { feature } from '@parley/platform/service';
import { UsersModule } from '../users/index.ts';
import { BudgetMailsConsumer } from './budget-mails.consumer.ts';
import { InvitationMails } from './invitation-mails.ts';
import { InvitationMailsConsumer } from './invitation-mails.consumer.ts';
import { MailSender } from './mail-sender.ts';
import { MailsConsumer } from './mails.consumer.ts';
import { MailsService } from './mails.service.ts';

export { MailsService } from './mails.service.ts';
export { nameInvitations, unverifyRevealed } from './revealed-links.ts';

export const mailsFeature = feature({
  routes: { list: listMails, showLink: showMailLink },
  handlers: MailsService,
  consumers: [BudgetMailsConsumer, MailsConsumer],
  providers: [MailSender],
  imports: [FlowsModule, UsersModule],
  exports: [MailsService],
});

export const invitationMailsFeature = feature({
  routes: { queue: queueInvitationMail, makeLinks: makeInvitationLinks },
  handlers: InvitationMails,
  consumers: [InvitationMailsConsumer],
  imports: [mailsFeature, UsersModule],
});
