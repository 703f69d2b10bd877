import type { Model } from '@parley/contracts';
import { Eye, EyeOff } from 'lucide-react';
import { useText } from '../../../lib/text.ts';
import { StatusShape } from '../../../ui/status-shape.tsx';
import type { Attached } from '../state/attaching.ts';
import { imageSupportOf } from '../state/images.ts';
import { useModelName } from '../../../domain/model/model-name.ts';
import { useFileWords } from './use-file-words.ts';
import { useAdds } from './file-use.tsx';
import classes from './files.module.css';

type Props = { model: Model | null };

/** Shows how the model uses an image, without a choice, because there is only one way. */
export function ImageUse({ model, tokens, isLeftOut }: Props & Pick<Attached, 'tokens' | 'isLeftOut'>) {
  const { t } = useText();
  const nameOf = useModelName();
  const adds = useAdds(model, tokens);
  const wordsOf = useFileWords();
  const isBlind = model !== null && imageSupportOf(model) === 'no';
  const Icon = isBlind || isLeftOut ? EyeOff : Eye;
  return (
    <span className={classes.chip} title={adds}>
      <Icon size={14} />
      <span>
        {isBlind
          ? t(
              { id: 'files.use.unseen', defaultMessage: 'Not seen: {model} doesn’t accept images' },
              { model: nameOf(model) },
            )
          : wordsOf({ use: 'image', isLeftOut })}
      </span>
    </span>
  );
}

/** Says below the files what to do about images that the model doesn't see, or may not see. */
export function ImagesNote({ model }: Props) {
  const { t } = useText();
  const nameOf = useModelName();
  const support = imageSupportOf(model);
  if (!model || support === 'yes') return null;
  const name = nameOf(model);
  return (
    <output className={`p-meta ${classes.note}`}>
      <StatusShape kind={support === 'no' ? 'warning' : 'waiting'} />
      <span>
        {support === 'no'
          ? t(
              {
                id: 'files.note.unseen',
                defaultMessage:
                  '{model} is told that there are images, but doesn’t see them. To have them seen, choose a model that accepts images.',
              },
              { model: name },
            )
          : t(
              {
                id: 'files.note.unknown',
                defaultMessage:
                  'It isn’t known whether {model} accepts images. If it doesn’t, choose another model and ask again.',
              },
              { model: name },
            )}
      </span>
    </output>
  );
}
