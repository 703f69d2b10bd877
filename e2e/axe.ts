import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/**
 * What axe finds on the page, of serious or critical impact: the rule and what breaks it. What is fading in or out has
 * ended first: half transparent text has another contrast.
 */
export async function seriousFaults(page: Page): Promise<string[]> {
  await page.evaluate(async () => {
    type Fade = { finished: Promise<unknown>; effect: { getComputedTiming(): { endTime: number } } | null };
    const { document } = globalThis as never as { document: { getAnimations(): Fade[] } };
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
  await page.evaluate(axe);
  return page.evaluate(async () => {
    // Mantine holds the focus of an open menu by an empty element in it, which that rule does not allow.
    const rules = { 'aria-required-children': { enabled: false } };
    const { violations } = await (globalThis as never as { axe: typeof import('axe-core') }).axe.run({ rules });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
  });
}
