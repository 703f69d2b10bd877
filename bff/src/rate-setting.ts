import { costClasses, type CostClass } from '@parley/contracts';
import { z } from 'zod';
import type { RateChange } from './proxy/rate-limits.ts';

const pattern = /^(?<cost>[a-z-]+|\*)\.(?<owner>person|organisation|address)=(?<most>[1-9]\d{0,8})$/;
const isKnown = (cost: string): cost is CostClass | '*' => cost === '*' || Object.hasOwn(costClasses, cost);

function readChange(text: string): RateChange | null {
  const { cost = '', owner, most } = pattern.exec(text)?.groups ?? {};
  return owner && isKnown(cost) ? { cost, owner: owner as RateChange['owner'], most: Number(most) } : null;
}

/** Sets other rates than those of docs/reference/limits.md: `question.person=1200, *.organisation=120000`. */
export const rateSetting = z
  .string()
  .default('')
  .transform((text, context): RateChange[] => {
    const parts = text.split(',').flatMap((part) => part.trim() || []);
    const changes = parts.map(readChange);
    const wrong = parts.filter((_part, at) => changes[at] === null);
    for (const part of wrong)
      context.addIssue({
        code: 'custom',
        message: `${part} is not like question.person=600 (docs/reference/limits.md)`,
      });
    return changes.filter((change) => change !== null);
  })
  .describe(
    'Other rates than those of docs/reference/limits.md, such as question.person=1200; * stands for every class.',
  );
