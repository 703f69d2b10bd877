import { click, fill, members, menu, press, settings, steps, webhooks, type Row } from './open-panel.ts';

/** Dialogs after they have created something: they show its link only once. */
export const results: readonly Row[] = [
  [
    'Invite people',
    `${settings}/invitations/invite-dialog/index.tsx`,
    members,
    steps(click('Invite people'), fill('Email addresses', 'one@example.com, two@example.com'), press('Create 2 links')),
    'Done',
  ],
  [
    'Invite people',
    `${settings}/invitations/invite-dialog/index.tsx`,
    members,
    steps(
      click('Invite people'),
      (page) => page.getByRole('dialog').getByText('By link', { exact: true }).click(),
      fill('Name of the link', 'Field south'),
      press('Make link'),
    ),
    'Copy link',
    'small',
  ],
  [
    'New link “Apprentices”',
    `${settings}/invitations/replace-link-dialog.tsx`,
    members,
    steps(menu('Actions for Apprentices', 'Replace link'), press('Replace link')),
    'Copy link',
  ],
  [
    'New link for paulo@example.com',
    `${settings}/invitations/replace-link-dialog.tsx`,
    members,
    steps(menu('Actions for paulo@example.com', 'New link'), press('Create link')),
    'Copy link',
  ],
  [
    'Invite the owner of Westmark',
    `${settings}/platform/first-owner-note.tsx`,
    'settings/org_admin/:other?tab=platform',
    steps(
      click('Send a new invitation'),
      fill('Email of the first owner', 'ada.two@example.com'),
      press('Send invitation'),
    ),
    'Copy link',
  ],
  [
    'Organisation created',
    'installation/organisations/provision-dialog.tsx',
    'settings/org_admin?tab=organisations',
    steps(
      click('Create organisation'),
      fill('Name of the organisation', 'Eastmark'),
      fill('Email of the first owner', 'eve@example.com'),
      press('Create and invite'),
    ),
    'Open organisation',
  ],
  [
    'Show the link for',
    'installation/mail/show-link-dialog.tsx',
    'settings/org_admin?tab=mail',
    steps(click('Show link'), fill('Reason', 'They asked by phone.'), press('Show link')),
    'Copy link',
  ],
];

/** Pages after a dialog has created a key or webhook: they show its secret only once. */
export const secretNotes: readonly Row[] = [
  [
    'The new key',
    'settings/keys/create-key-dialog.tsx',
    'settings?tab=keys',
    steps(click('Create key'), fill('Name', 'Weekly report'), press('Create key')),
    'Copy key',
  ],
  [
    'Secret of the webhook',
    `${settings}/webhooks/webhook-dialog.tsx`,
    webhooks,
    steps(
      click('Add webhook'),
      fill('Address', 'http://127.0.0.1:9/other'),
      (page) => page.getByRole('dialog').getByRole('checkbox').first().check(),
      press('Add webhook'),
    ),
    'Copy secret',
  ],
];
