import { Button } from '@mantine/core';
import { useNavigate } from 'react-router-dom';
import { pathsOf, useLocale } from '../lib/paths.ts';
import { useText } from '../lib/text.ts';
import form from '../ui/form.module.css';
import { Texts } from './locale-gate.tsx';
import { textsOf } from './page-texts.ts';

const texts = textsOf(['first', 'ended']);

/** In the place of all pages, for who was a member until now: nothing of the organisation is left but its name. */
export const FormerOrganisation = ({ name }: { name: string }) => (
  <Texts locale={useLocale()} load={texts}>
    <Former name={name} />
  </Texts>
);

function Former({ name }: { name: string }) {
  const { t } = useText();
  const locale = useLocale();
  const navigate = useNavigate();
  const title = t({ id: 'ended.membership.title', defaultMessage: 'You are no longer a member of {name}' }, { name });
  return (
    <div className={form.form}>
      <title>{title}</title>
      <div role="alert">
        <h1 className="p-h1">{title}</h1>
        <p className="p-quiet">
          {t({
            id: 'ended.membership.text',
            defaultMessage:
              'You left, or an admin removed you. Your chats stay with the organisation; to come back you need a new invitation.',
          })}
        </p>
      </div>
      <Button size="md" onClick={() => void navigate(pathsOf(locale, null).to('chat'), { replace: true })}>
        {t({ id: 'ended.membership.next', defaultMessage: 'Continue' })}
      </Button>
    </div>
  );
}
