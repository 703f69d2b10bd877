import { click, menu, type Row } from './open-panel.ts';

/** Each dialog of chats and of their projects. */
export const chatDialogs: readonly Row[] = [
  [
    'Delete “Substation maintenance and switching operations of the north”?',
    'conversations/projects/delete-dialog.tsx',
    'chat?project=:project',
    menu('Project actions', 'Delete project'),
    'Delete project',
  ],
  [
    'Move to project',
    'conversations/moving/move-picker.tsx',
    'chat/:chat',
    menu('Chat actions', 'Move to project…'),
    'No project',
  ],
  [
    'New project',
    'conversations/moving/new-project-dialog.tsx',
    'chat',
    async (page) => {
      const opener = page.getByRole('button', { name: /^Open navigation/ });
      await page.getByRole('textbox', { name: 'Message' }).waitFor();
      if (await opener.isVisible()) await opener.click();
      await page.getByRole('button', { name: 'New project' }).click();
    },
    'Create project',
  ],
  ['Question', 'conversations/message/message-drawer.tsx', 'chat/:chat', click('More'), 'Close', 'small'],
  ['Red.png', 'conversations/files/image-viewer/index.tsx', 'chat/:images', click('Red.png'), 'Close'],
];
