// Pinocchio's forward dynamics in C++, without Python: as a template instantiated here
// with doubles, and, where SYMBOLIC is defined, with CasADi's expressions, from which
// CasADi writes C. Only headers of Pinocchio are used, so that the compiler's flags are
// those of the benchmark and not of a package.

#ifdef SYMBOLIC
#include <casadi/casadi.hpp>

#include "pinocchio/autodiff/casadi.hpp"
#endif

#include "pinocchio/multibody.hpp"
#include "pinocchio/algorithm/aba.hpp"

namespace pin = pinocchio;

namespace {

constexpr int NUMBERS = 28;  // of a joint: R 9, p 3, axis 3, mass 1, centre 3, inertia 9

template <typename Scalar>
pin::ModelTpl<Scalar> built(int joints, const int *parents, const int *kinds,
                            const double *numbers, const double *armature,
                            const double *gravity) {
  using Vec3 = Eigen::Map<const Eigen::Vector3d>;
  using Mat3 = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>;
  pin::ModelTpl<Scalar> model;
  for (int j = 0; j < joints; ++j) {
    const double *x = numbers + NUMBERS * j;
    const auto axis = Vec3(x + 12).template cast<Scalar>().eval();
    const pin::SE3Tpl<Scalar> at(Mat3(x).template cast<Scalar>().eval(),
                                 Vec3(x + 9).template cast<Scalar>().eval());
    const auto name = "joint " + std::to_string(j);
    const auto add = [&](const auto &joint) {
      return model.addJoint(parents[j], joint, at, name);
    };
    pin::JointIndex k = 0;
    switch (kinds[j]) {
      case 0: k = add(pin::JointModelFreeFlyerTpl<Scalar>()); break;
      case 1: k = add(pin::JointModelRevoluteTpl<Scalar, 0, 0>()); break;
      case 2: k = add(pin::JointModelRevoluteTpl<Scalar, 0, 1>()); break;
      case 3: k = add(pin::JointModelRevoluteTpl<Scalar, 0, 2>()); break;
      default: k = add(pin::JointModelRevoluteUnalignedTpl<Scalar>(axis));
    }
    model.appendBodyToJoint(
        k, pin::InertiaTpl<Scalar>(Scalar(x[15]),
                                   Vec3(x + 16).template cast<Scalar>().eval(),
                                   Mat3(x + 19).template cast<Scalar>().eval()));
  }
  for (int i = 0; i < 3; ++i) model.gravity.linear()[i] = Scalar(gravity[i]);
  for (int i = 0; i < model.nv; ++i) model.armature[i] = Scalar(armature[i]);
  return model;
}

}  // namespace

#ifdef SYMBOLIC

extern "C" void write_expressions(int joints, const int *parents, const int *kinds,
                                  const double *numbers, const double *armature,
                                  const double *gravity, const char *file) {
  using casadi::SX;
  const auto model = built<SX>(joints, parents, kinds, numbers, armature, gravity);
  pin::DataTpl<SX> data(model);
  const SX x = SX::sym("x", model.nq + 2 * model.nv);
  const auto part = [&](int first, int count) {
    Eigen::Matrix<SX, Eigen::Dynamic, 1> found(count);
    for (int i = 0; i < count; ++i) found[i] = x(first + i);
    return found;
  };
  const auto q = part(0, model.nq);
  const auto v = part(model.nq, model.nv);
  const auto tau = part(model.nq + model.nv, model.nv);
  pin::aba(model, data, q, v, tau);
  SX rates(casadi::Sparsity::dense(model.nv, 1));
  for (int i = 0; i < model.nv; ++i) rates(i) = data.ddq[i];
  casadi::Function("aba", {x}, {rates}).save(file);
}

#else

namespace {

struct Robot {
  explicit Robot(const pin::Model &given) : model(given), data(given) {}
  pin::Model model;
  pin::Data data;
};

}  // namespace

extern "C" void *make(int joints, const int *parents, const int *kinds,
                      const double *numbers, const double *armature,
                      const double *gravity) {
  return new Robot(built<double>(joints, parents, kinds, numbers, armature, gravity));
}

extern "C" void release(void *robot) { delete static_cast<Robot *>(robot); }

extern "C" void over_states(void *robot, long times, long states, const double *q,
                            const double *v, const double *tau, double *rates) {
  auto &r = *static_cast<Robot *>(robot);
  const int nq = r.model.nq, nv = r.model.nv;
  using Row = Eigen::Map<const Eigen::VectorXd>;
  for (long t = 0; t < times; ++t) {
    for (long i = 0; i < states; ++i) {
      Eigen::Map<Eigen::VectorXd>(rates + i * nv, nv) =
          pin::aba(r.model, r.data, Row(q + i * nq, nq), Row(v + i * nv, nv),
                   Row(tau + i * nv, nv));
    }
  }
}

#endif
