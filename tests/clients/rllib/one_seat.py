"""RLlib's PPO learns to win against three bots."""

from monopoly_training.rllib.modules import MaskedModule
from monopoly_training.rllib.one_seat import OneSeat
from monopoly_training.rllib.standings import Standings
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec

config = (
    PPOConfig()
    .environment(OneSeat, env_config={"preset": "basic", "narrow": True})
    .env_runners(
        num_env_runners=2,
        num_envs_per_env_runner=64,
        gym_env_vectorize_mode="vector_entry_point",  # all games of a runner in one call
    )
    .rl_module(
        rl_module_spec=RLModuleSpec(
            module_class=MaskedModule,
            model_config=DefaultModelConfig(fcnet_hiddens=[64, 64], head_fcnet_hiddens=[]),
        )
    )
    .training(
        gamma=0.997,  # as in the preset's reward
        lambda_=0.95,
        lr=1e-3,
        train_batch_size_per_learner=8192,
        minibatch_size=2048,
        num_epochs=2,
        entropy_coeff=0.01,
        grad_clip=0.5,
        use_kl_loss=False,
    )
    .callbacks(Standings)
)

if __name__ == "__main__":
    algorithm = config.build_algo()
    for _ in range(20):
        print(algorithm.train()["env_runners"].get("win_rate"))
    algorithm.stop()
