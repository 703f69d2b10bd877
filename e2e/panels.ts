import type { Locator } from 'playwright-core';
import { chatDialogs } from './chat-dialogs.ts';
import { dialogs } from './dialogs.ts';
import { results, secretNotes } from './made-once.ts';
import {
  atSmall,
  answers,
  budgets,
  click,
  close,
  connection,
  groups,
  menu,
  ofRole,
  org,
  person,
  roles,
  settings,
  type Panel,
  type Row,
} from './open-panel.ts';

const uploads = 'settings/data-connections?connection=:uploads';
/** Opens a document from its row, and waits for what it shows. */
const read =
  (name: string, shown: (viewer: Locator) => Locator): Panel['open'] =>
  async (page) => {
    await page.getByRole('link', { name, exact: true }).click();
    await shown(page.getByRole('complementary', { name })).waitFor();
  };

const start = /^Member, Start a chat/;
const sidePanels: readonly Row[] = [
  ['Set a budget', 'billing/budgets/budget-panel.tsx', budgets, click('Set a budget'), 'Set a budget'],
  ['Order seats', 'billing/orders/order-panel.tsx', 'settings/billing?tab=orders', click('Order seats'), /^Order/],
  [
    'Deleted messages',
    'conversations/talk/deleted-messages/index.tsx',
    'chat/:chat',
    menu('Chat actions', 'Deleted messages'),
    close,
  ],
  [
    'Project settings',
    'conversations/projects/project-settings.tsx',
    'chat?project=:project&settings=open',
    () => Promise.resolve(),
    close,
  ],
  ['Sources', 'conversations/sources/sources-panel.tsx', 'chat/:chat', click(/^Show .* source/), 'Close sources'],
  [
    'Change connection',
    'documents/connection-page.tsx',
    connection,
    async (page) => {
      await menu('More about this connection', 'Show settings and test a search')(page);
      await click('Change')(page);
    },
    'Save changes',
  ],
  [
    'Add connection',
    'documents/documents-page.tsx',
    'settings/data-connections',
    click('Add connection'),
    'Start the sync',
  ],
  ['Write curated answer', 'feedback/answers-tab.tsx', answers, click('Write curated answer'), 'Save curated answer'],
  [
    'Write the right answer',
    'feedback/components/case-view.tsx',
    'settings/feedback?case=:case',
    click('Write the right answer'),
    'Save curated answer',
  ],
  ['Error', 'installation/errors/error-panel.tsx', 'settings/org_admin?tab=errors&tests=shown', click(/Error/), close],
  [
    'Add price',
    'installation/prices/price-panel.tsx',
    'settings/org_admin?tab=prices',
    click('Add price'),
    'Add price',
  ],
  [
    'Seat price and seller',
    'installation/orders/terms-panel.tsx',
    'settings/org_admin?tab=orders',
    click('Seat price and seller'),
    'Save terms',
  ],
  [
    'Add provider',
    `${settings}/models/provider-panel/index.tsx`,
    `${org}?tab=models`,
    click('Add provider'),
    'Add provider',
  ],
  [
    'herons.md',
    'domain/document/document-viewer.tsx',
    uploads,
    read('herons.md', (viewer) => viewer.getByText('thirty-one grey herons')),
    'Close document',
  ],
  [
    'Plan.pdf',
    'domain/document/document-viewer.tsx',
    uploads,
    read('Plan.pdf', (viewer) => viewer.locator('canvas').first()),
    'Close document',
  ],
  [
    'Good answers, last 30 days',
    'feedback/components/counts-panel.tsx',
    'settings/feedback',
    click(/^Good answers, 30 days/),
    close,
    'small',
  ],
  ['Check access', 'permissions/components/access-panel.tsx', roles, click('Check access'), close],
  ['Substation', 'permissions/components/group-panel.tsx', groups, click(/^Substation/), close],
  [
    'Role',
    'permissions/components/role-panel.tsx',
    roles,
    atSmall(ofRole('Switching clerk', 'About this role'), click('Switching clerk')),
    close,
  ],
  [
    'Who gains, who loses',
    'permissions/components/who-panel.tsx',
    roles,
    click(/^Switching clerk, Read feedback/, /^See who$/),
    close,
  ],
  ['P-', 'user-monitoring/components/person-panel.tsx', 'settings/user-monitoring', person(), close],
  ['Why', 'permissions/components/why-panel.tsx', roles, atSmall(ofRole('Member', start), click(start)), close],
];

const toPanel =
  (role: Panel['role']) =>
  ([title, file, path, open, end, only]: Row): Panel => ({
    title,
    file: /^(ui|domain)\//.test(file) ? file : `features/${file}`,
    path,
    open,
    role,
    end,
    only,
  });
/** The cases that create something come last. */
export const panels: readonly Panel[] = [
  ...dialogs.map(toPanel('dialog')),
  ...chatDialogs.map(toPanel('dialog')),
  ...sidePanels.map(toPanel('complementary')),
  ...results.map(toPanel('dialog')),
  ...secretNotes.map(toPanel('main')),
];
