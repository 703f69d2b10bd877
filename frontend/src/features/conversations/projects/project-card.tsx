import type { LucideIcon } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { useText } from '../../../lib/text.ts';
import classes from './projects.module.css';

type Props = { icon: LucideIcon; title: string; onEdit: (() => void) | null; foot: ReactNode; children: ReactNode };

/** Shows one thing that all chats of a project have in common. */
export function Card({ icon: Icon, title, onEdit, foot, children }: Props) {
  const { t } = useText();
  const id = useId();
  return (
    <section className={classes.card} aria-labelledby={id}>
      <header className={classes.cardHead}>
        <Icon />
        <h2 id={id} className="p-h3">
          {title}
        </h2>
        {onEdit ? (
          <button
            type="button"
            className={classes.edit}
            aria-label={t({ id: 'project.cards.editOf', defaultMessage: 'Edit: {title}' }, { title })}
            onClick={onEdit}
          >
            {t({ id: 'project.cards.edit', defaultMessage: 'Edit' })}
          </button>
        ) : null}
      </header>
      {children}
      {foot ? <p className={`p-meta ${classes.cardFoot}`}>{foot}</p> : null}
    </section>
  );
}
