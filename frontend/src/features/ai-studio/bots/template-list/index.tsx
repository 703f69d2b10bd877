import type { ChatbotContent, ChatbotId } from '@parley/contracts';
import { useText } from '../../../../lib/text.ts';
import { BotMark } from '../../../../domain/picture/avatar.tsx';
import { glyphs } from '../../../../ui/glyph.ts';
import { ErrorNote } from '../../../../ui/error-note.tsx';
import { useActionOff } from '../../../../ui/stale.tsx';
import { useCreate } from '../../state/queries.ts';
import { useTemplates } from '../templates.ts';
import classes from './template-list.module.css';

/** Each makes a chatbot at once: all of it can be changed afterwards. */
export function TemplateList({ onMade }: { onMade: (id: ChatbotId) => void }) {
  const { t } = useText();
  const off = useActionOff();
  const { templates, empty } = useTemplates();
  const create = useCreate(onMade);
  const start = (content: ChatbotContent) => create.isPending || create.mutate(content);
  const without = t({ id: 'studio.template.empty.about', defaultMessage: 'Without instructions, all open.' });
  return (
    <>
      <ErrorNote error={create.error} />
      <ul className={classes.templates} aria-busy={create.isPending}>
        {[...templates, { key: 'empty', about: without, content: empty }].map(({ key, about, content }) => (
          <li key={key}>
            <button type="button" onClick={() => start(content)} {...off}>
              <BotMark icon={glyphs[content.glyph]} />
              <span className={classes.words}>
                <span className={classes.name}>{content.name}</span>
                <span className="p-meta">{about}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
