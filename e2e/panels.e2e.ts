import { expect, test } from '@jest/globals';
import { join } from 'node:path';
import { drawnPanels } from './drawn-panels.ts';
import { describePanels } from './panel-checks.ts';
import { panels } from './panels.ts';

/** Dialogs and panels without a case: how many each file has of them, and why. */
const withoutCase: Readonly<Record<string, readonly [count: number, why: string]>> = {
  'app/shell/shell.tsx': [1, 'The navigation, which is on every page.'],
  'app/visitor-frame.tsx': [2, 'What is beside the forms of visitors has no button.'],
  'features/active-users/components/act-dialog.tsx': [1, 'Only after an act that was refused for some of many.'],
  'features/feedback/components/case-facts.tsx': [1, 'A part of the page of a case.'],
  'features/feedback/components/counts-panel.tsx': [1, 'On a wide window it is a part of the page.'],
  'features/search/search-palette.tsx': [1, 'No button ends it.'],
  'features/settings/exports/download-export-dialog.tsx': [1, 'Ten minutes after a sign-in only.'],
  'features/settings/usage/usage-tab.tsx': [1, 'A part of the page.'],
};

test('each panel has a case', () => {
  const missing = [...drawnPanels(join(import.meta.dirname, '../frontend/src'))].flatMap(([file, drawn]) => {
    const cases = panels.filter((panel) => panel.file === file).length;
    const [left] = withoutCase[file] ?? [0];
    return cases + left < drawn ? [`${file}: ${drawn} drawn, ${cases} opened here`] : [];
  });
  expect(missing).toEqual([]);
});

// Most that hides a button is narrow: `wide-panels` is one of the deep checks.
describePanels('small');
