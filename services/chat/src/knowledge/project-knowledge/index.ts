import { addProjectFile, listProjectFiles, removeProjectFile } from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { chatbotsFeature } from '../../assistants/chatbots/index.ts';
import { conversationsFeature, projectsFeature } from '../../conversations/index.ts';
import { ConnectionsModule } from '../connections/index.ts';
import { filesFeature } from '../files/index.ts';
import { NamedByProjects } from './named-by-projects.ts';
import { ProjectFilesService } from './project-files.service.ts';

/** What answers in a project can use besides what their chatbot names: its files, and connections that it may name. */
export const projectKnowledgeFeature = feature({
  routes: { list: listProjectFiles, add: addProjectFile, remove: removeProjectFile },
  handlers: ProjectFilesService,
  imports: [conversationsFeature, projectsFeature, chatbotsFeature, ConnectionsModule, filesFeature],
  providers: [NamedByProjects],
});
