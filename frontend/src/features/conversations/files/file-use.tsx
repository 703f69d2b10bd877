import { UnstyledButton } from '@mantine/core';
import type { ChatFile, Model } from '@parley/contracts';
import { passageTokens } from '@parley/contracts/prompt-budget';
import { Check, ChevronDown, ScrollText, Search } from 'lucide-react';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { Menu } from '../../../ui/menu.tsx';
import type { FileUse as Use } from '../state/attaching.ts';
import { useInputCost } from '../state/estimate.ts';
import { useAssumedContext, useFileWords } from './use-file-words.ts';
import classes from './files.module.css';

type Props = { file: ChatFile; use: Use; mostTokens: number; model: Model | null; onUse: (use: Use) => void };

/** Shows how the model uses a file, and lets people change that. */
export function FileUse({ file: { tokens, pages }, use, mostTokens, model, onUse }: Props) {
  const { t } = useText();
  const { number } = useFormats();
  const adds = useAdds(model, tokens);
  const addsPassages = useAddsPassages(model);
  const assumed = useAssumedContext()(model);
  const wordsOf = useFileWords();
  const isTooLong = tokens === null || tokens > mostTokens;
  const Icon = use === 'whole' ? ScrollText : Search;
  return (
    <Menu position="bottom-start" width={300}>
      <Menu.Target>
        <UnstyledButton className={classes.use} title={use === 'whole' ? adds : addsPassages}>
          <Icon size={14} />
          {wordsOf({ use, tokens, pages })}
          <ChevronDown size={14} className={classes.chevron} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<ScrollText />}
          rightSection={use === 'whole' ? <Check strokeWidth={2} /> : null}
          disabled={isTooLong}
          onClick={() => onUse('whole')}
        >
          {t({ id: 'files.use.chooseWhole', defaultMessage: 'Read in full' })}
          <span className={`p-meta ${classes.why}`}>
            {isTooLong
              ? mostTokens === 0
                ? t({ id: 'files.use.never', defaultMessage: 'This model searches all files.' })
                : t(
                    {
                      id: 'files.use.tooLong',
                      defaultMessage: 'Too long for this model: it reads up to {most} tokens of files in full.',
                    },
                    { most: number(mostTokens) },
                  )
              : t({ id: 'files.use.wholeMeans', defaultMessage: 'All of it goes to the model with each question.' })}
            {isTooLong || !adds ? null : <span className={classes.adds}>{adds}</span>}
            {isTooLong && assumed ? <span className={classes.adds}>{assumed}</span> : null}
          </span>
        </Menu.Item>
        <Menu.Item
          leftSection={<Search />}
          rightSection={use === 'searched' ? <Check strokeWidth={2} /> : null}
          onClick={() => onUse('searched')}
        >
          {t({ id: 'files.use.chooseSearched', defaultMessage: 'Search it' })}
          <span className={`p-meta ${classes.why}`}>
            {t({
              id: 'files.use.searchedMeans',
              defaultMessage: 'Only the passages that fit the question go to the model.',
            })}
            {addsPassages ? <span className={classes.adds}>{addsPassages}</span> : null}
          </span>
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/**
 * Returns in words how many tokens the passages of all searched files add to each question, and their cost; undefined
 * for a model without a context length.
 */
function useAddsPassages(model: Model | null): string | undefined {
  const { t } = useText();
  const { number } = useFormats();
  const amount = useInputCost()(model, passageTokens);
  if (!model?.context) return undefined;
  const tokens = number(passageTokens);
  return amount === null
    ? t(
        {
          id: 'files.use.addsPassages',
          defaultMessage: 'Searched files together add up to about {tokens} tokens of passages to each question.',
        },
        { tokens },
      )
    : t(
        {
          id: 'files.use.addsPassagesFor',
          defaultMessage:
            'Searched files together add up to about {tokens} tokens of passages ({amount}) to each question.',
        },
        { tokens, amount },
      );
}

/** Returns in words what this number of tokens costs with each question; undefined if the cost is unknown. */
export function useAdds(model: Model | null, tokens: number | null): string | undefined {
  const { t } = useText();
  const amount = useInputCost()(model, tokens ?? 0);
  if (amount === null) return undefined;
  return t({ id: 'files.use.adds', defaultMessage: 'Adds {amount} to each question.' }, { amount });
}
