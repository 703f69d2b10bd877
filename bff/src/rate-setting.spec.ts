import { expect, test } from '@jest/globals';
import { costClasses } from '@parley/contracts';
import { rateTable } from './proxy/rate-limits.ts';
import { rateSetting } from './rate-setting.ts';

test('rates are those of the contracts unless a setting says otherwise', () => {
  expect(rateTable(rateSetting.parse(undefined)).question).toMatchObject({ person: costClasses.question.person });
  const changed = rateTable(rateSetting.parse('question.person=7, *.organisation=9,secret.organisation=5'));
  expect(changed.question).toMatchObject({ person: 7, organisation: 9 });
  expect(changed.read).toMatchObject({ person: costClasses.read.person, organisation: 9 });
  expect(changed.secret.organisation).toBeUndefined();
});

test.each(['question', 'question.person', 'question.person=0', 'query.person=5', 'question.team=5', 'x=1'])(
  'names what is wrong: %s',
  (text) => {
    const { error } = rateSetting.safeParse(`read.person=5,${text}`);
    expect(error?.issues[0]?.message).toContain(`${text} is not like`);
  },
);
