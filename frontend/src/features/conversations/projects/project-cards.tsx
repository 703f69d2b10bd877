import type { Project } from '@parley/contracts';
import { Bot, ScrollText } from 'lucide-react';
import { BotMark } from '../../../domain/picture/avatar.tsx';
import { charactersOf } from '../../../lib/characters.ts';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { useText } from '../../../lib/text.ts';
import { glyphs } from '../../../ui/glyph.ts';
import { Card } from './project-card.tsx';
import { useDefaultChatbot } from './use-default-chatbot.ts';
import classes from './projects.module.css';

const KnowledgeCard = lazyPart(async () => (await import('./knowledge/knowledge-card.tsx')).KnowledgeCard);

type Props = { project: Project; onEdit: (() => void) | null };

/** Shows the instructions, chatbot and knowledge that all chats of a project have in common. */
export function ProjectCards({ project, onEdit }: Props) {
  const { t } = useText();
  const count = charactersOf(project.instructions);
  return (
    <div className={classes.cards}>
      <Card
        icon={ScrollText}
        title={t({ id: 'project.instructions.label', defaultMessage: 'Instructions' })}
        onEdit={onEdit}
        foot={
          count > 0
            ? t(
                {
                  id: 'project.cards.instructionsFoot',
                  defaultMessage: '{count, plural, one {# character} other {# characters}}, added to every chat',
                },
                { count },
              )
            : null
        }
      >
        {count > 0 ? (
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
      <KnowledgeCard project={project} onEdit={onEdit} />
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
