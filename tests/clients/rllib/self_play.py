"""One RLlib policy plays every seat."""

from monopoly_training.rllib.every_seat import EverySeat
from monopoly_training.rllib.modules import MaskedModule
from monopoly_training.rllib.standings import Standings
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec

config = (
    PPOConfig()
    .environment(EverySeat, env_config={"preset": "basic", "narrow": True, "num_players": 3})
    .env_runners(num_env_runners=2, num_envs_per_env_runner=8)
    .multi_agent(policies={"shared"}, policy_mapping_fn=lambda agent, episode, **_: "shared")
    .rl_module(
        rl_module_spec=MultiRLModuleSpec(
            rl_module_specs={
                "shared": RLModuleSpec(
                    module_class=MaskedModule,
                    model_config=DefaultModelConfig(fcnet_hiddens=[64, 64], head_fcnet_hiddens=[]),
                )
            }
        )
    )
    .training(
        gamma=0.997,  # as in the preset's reward
        lr=1e-3,
        train_batch_size_per_learner=2048,
        minibatch_size=512,
        num_epochs=2,
        use_kl_loss=False,
    )
    .callbacks(Standings)
)

if __name__ == "__main__":
    algorithm = config.build_algo()
    for _ in range(40):
        print(algorithm.train()["env_runners"].get("episode_len_mean"))
    algorithm.stop()
