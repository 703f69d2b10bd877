import type { MailTexts } from '../mail-content.ts';

export const english: MailTexts = {
  'password-reset': ({ minutes }) => ({
    subject: 'Set a new password for Parley',
    lines: ['Somebody has asked for a new password for your account. If it was you, choose one here:'],
    button: 'Choose a new password',
    after: [
      `The link works once, for ${minutes} minutes.`,
      'If it was not you, there is nothing to do: your password stays as it is.',
    ],
  }),
  'password-changed': ({ at }, { time }) => ({
    subject: 'Your password for Parley was changed',
    lines: [
      `Your password was changed on ${time(at)}. You have been signed out everywhere else.`,
      'If it was not you, take your account back now:',
    ],
    button: 'Set a new password',
  }),
  'link-shown': ({ by, reason }, { name }) => ({
    subject: 'A link of yours was shown to an administrator',
    lines: [
      `${name(by)}, who runs this Parley, has looked at a link that was made for you.`,
      `The reason given: ${name(reason)}`,
      'If nobody was going to hand it to you, ask them about it.',
    ],
  }),
  'name-revealed': ({ by, organisation, reason, until }, { name, time }) => ({
    subject: `${name(by)} asked for your name in ${name(organisation)}`,
    lines: [
      `Usage in ${name(organisation)} is shown under pseudonyms. ${name(by)} has asked for your name, and sees it beside your usage until ${time(until)} at the latest.`,
      `The reason given: ${name(reason)}`,
      'What you wrote in your chats is not shown. Who has asked for your name stands in Parley under Profile and security, Usage.',
    ],
  }),
  'budget-reached': (reached, { name, time, amount }) => {
    const { whose, organisation, threshold, spent, limit, resetsAt, timeZone } = reached;
    const budget = {
      organisation: 'The budget of the organisation',
      group: `The budget of the group ${name(reached.name)}`,
      person: `The budget of ${name(reached.name)}`,
      model: `The budget of the model ${name(reached.name)}`,
      chatbot: `The budget of the chatbot ${name(reached.name)}`,
      own: 'Your budget',
    }[whose];
    const unit = limit.currency === null ? ' tokens' : '';
    const [used, most] = [`${amount(spent)}${unit}`, `${amount(limit)}${unit}`];
    const isStop = threshold === 'hard';
    const next =
      whose === 'own'
        ? 'You can ask for more in Parley, in the chat.'
        : 'You can change the budget in Parley under Billing, Budgets.';
    return {
      subject: `${budget} in ${name(organisation)} ${isStop ? 'is at its limit' : 'has reached its warning'}`,
      lines: [
        isStop
          ? `${budget} in ${name(organisation)} is at its limit of ${most}: ${used} are used. No answer begins for which too little is left.`
          : `${budget} in ${name(organisation)} has reached its warning at ${most}: ${used} are used. Answers go on.`,
        `It starts again on ${time(resetsAt, timeZone)}.`,
        next,
      ],
    };
  },
  'address-proof': ({ name: person, days }, { name }) => ({
    subject: 'Confirm your address for Parley',
    lines: [
      `${name(person)}, this address was given for your account. Confirm that it is yours, so that invitations sent to it find you:`,
    ],
    button: 'Confirm the address',
    after: [
      `The link works once, for ${days} days, after you have signed in.`,
      'If you made no account, there is nothing to do.',
    ],
  }),
  invitation: ({ organisation, inviter, endsAt, message }, { name, time, words }) => ({
    subject: `${name(inviter)} invites you to ${name(organisation)} on Parley`,
    lines: [`${name(inviter)} invites you to join ${name(organisation)} on Parley, where teams work with AI together.`],
    quote: message ? { by: `${name(inviter)} writes:`, lines: words(message) } : undefined,
    button: 'See the invitation',
    after: [`The link works until ${time(endsAt)}.`, 'If you expected none, there is nothing to do.'],
  }),
  footer: 'This email was sent by Parley. Replies aren’t read.',
  orCopy: 'Or copy this address into your browser:',
};
