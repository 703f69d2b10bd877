import type { Project } from '@parley/contracts';
import { Bot, ScrollText, type LucideIcon } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { BotMark } from '../../../domain/picture/avatar.tsx';
import { useText } from '../../../lib/text.ts';
import { glyphs } from '../../../ui/glyph.ts';
import { useDefaultChatbot } from './use-default-chatbot.ts';
import classes from './projects.module.css';

type Props = { project: Project; onEdit: (() => void) | null };

/** What all chats of a project have in common. */
export function ProjectCards({ project, onEdit }: Props) {
  const { t } = useText();
  const { length } = project.instructions;
  return (
    <div className={classes.cards}>
      <Card
        icon={ScrollText}
        title={t({ id: 'project.instructions.label', defaultMessage: 'Instructions' })}
        onEdit={onEdit}
        foot={
          length > 0
            ? t(
                {
                  id: 'project.cards.instructionsFoot',
                  defaultMessage: '{count, plural, one {# character} other {# characters}}, added to every chat',
                },
                { count: length },
              )
            : null
        }
      >
        {length > 0 ? (
          <p className={classes.excerpt} dir="auto">
            {project.instructions}
          </p>
        ) : (
          <p className="p-sm p-quiet">
            {t({
              id: 'project.cards.noInstructions',
              defaultMessage: 'None yet. Say what every answer in this project must take into account.',
            })}
          </p>
        )}
      </Card>
      <ChatbotCard project={project} onEdit={onEdit} />
    </div>
  );
}

function ChatbotCard({ project, onEdit }: Props) {
  const { t } = useText();
  const { chosen, isMissing, isKnown } = useDefaultChatbot(project);
  return (
    <Card
      icon={Bot}
      title={t({ id: 'project.chatbot.label', defaultMessage: 'Default chatbot' })}
      onEdit={onEdit}
      foot={t({ id: 'project.cards.chatbotFoot', defaultMessage: 'Used for new chats' })}
    >
      {chosen ? (
        <p className={classes.bot}>
          <BotMark icon={glyphs[chosen.glyph]} size={28} />
          <bdi>{chosen.name}</bdi>
        </p>
      ) : (
        <p className="p-sm p-quiet">
          {isMissing
            ? t({ id: 'project.chatbot.missing', defaultMessage: 'Not available' })
            : isKnown
              ? t({ id: 'project.chatbot.ofOrganisation', defaultMessage: 'The organisation’s default' })
              : null}
        </p>
      )}
    </Card>
  );
}

type CardProps = { icon: LucideIcon; title: string; onEdit: (() => void) | null; foot: ReactNode; children: ReactNode };

function Card({ icon: Icon, title, onEdit, foot, children }: CardProps) {
  const { t } = useText();
  const id = useId();
  return (
    <section className={classes.card} aria-labelledby={id}>
      <header className={classes.cardHead}>
        <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
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
