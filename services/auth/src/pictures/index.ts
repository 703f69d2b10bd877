import { getPicture, uploadPicture } from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { PicturesService } from './pictures.service.ts';

export const picturesFeature = feature({
  routes: { upload: uploadPicture, read: getPicture },
  handlers: PicturesService,
  exports: [PicturesService],
});
export { PicturesService } from './pictures.service.ts';
