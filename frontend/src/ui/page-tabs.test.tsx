import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { renderInOrganisation } from '../testing/render.tsx';
import { PageTabs, useCurrentTab } from './page-tabs.tsx';

const tabs = [
  { key: 'first', label: 'First' },
  { key: 'last', label: 'Last' },
] as const;

function Page() {
  return <PageTabs label="Parts" tabs={tabs} current={useCurrentTab(tabs) ?? 'first'} />;
}

/** jsdom lays nothing out: this is what was asked to be seen. */
let brought: (string | null)[];
beforeEach(() => {
  brought = [];
  jest.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    brought.push(this.textContent);
  });
});
afterEach(() => {
  jest.restoreAllMocks();
});

it('brings the current tab into sight: that of the address, then the one that is chosen', async () => {
  renderInOrganisation(<Page />, { path: '/:locale/page', at: '/en/page?tab=last' });
  expect(brought).toEqual(['Last']);
  await userEvent.click(screen.getByRole('link', { name: 'First' }));
  expect(brought).toEqual(['Last', 'First']);
});
